// The connection to a table. It comes back by itself; commands are answered once.

const WAITS = [100, 250, 500, 1000];
const FINAL = new Set([4403, 4404, 4410, 4428]); // closed for good

export class Socket {
  constructor(address, { hear, changed }) {
    Object.assign(this, { address, hear, changed });
    this.number = 0;
    this.waiting = new Map();
    this.failures = 0;
    addEventListener("online", () => this.again());
    addEventListener("offline", () => this.socket?.close());
    document.addEventListener("visibilitychange", () => document.hidden || this.again());
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    this.changed("connecting");
    const socket = (this.socket = new WebSocket(this.address));
    socket.onopen = () => {
      this.failures = 0;
      this.changed("open");
    };
    socket.onmessage = (frame) => this.read(JSON.parse(frame.data));
    socket.onclose = (event) => {
      if (socket !== this.socket) return;
      for (const settle of this.waiting.values()) settle({ type: "lost" });
      this.waiting.clear();
      if (FINAL.has(event.code)) return this.changed("closed", event.reason);
      this.changed("lost");
      this.timer = setTimeout(() => this.open(), WAITS[Math.min(this.failures++, WAITS.length - 1)]);
    };
  }

  again() {
    if (this.socket.readyState === WebSocket.CLOSED) this.open();
  }

  reopen(address) {
    this.address = address;
    const old = this.socket;
    this.open();
    old.close();
  }

  read(message) {
    const settle = message.id !== undefined && this.waiting.get(message.id);
    if (settle) {
      this.waiting.delete(message.id);
      settle(message);
    }
    if (message.type !== "done") this.hear(message);
  }

  // The server's answer to a command: done, refused, or lost with the connection.
  send(command) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.resolve({ type: "lost" });
    const id = ++this.number;
    this.socket.send(JSON.stringify({ id, command }));
    return new Promise((settle) => this.waiting.set(id, settle));
  }
}
