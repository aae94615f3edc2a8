"""A program that sits down at a table: python examples/table_bot.py LINK, the link being an invitation."""

import json
import random
import sys
import time
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlsplit
from urllib.request import urlopen

from websockets.sync.client import connect


def main(link: str) -> None:
    address = urlsplit(link)
    invited = {name: values[0] for name, values in parse_qs(address.fragment).items()}
    with urlopen(f"http://{address.netloc}/") as page:  # who holds the cookie holds the seat
        cookie = SimpleCookie(page.headers["set-cookie"])["azulejos"].value
    seat = int(invited["seat"])
    socket = f"ws://{address.netloc}{address.path}/socket"
    with connect(socket, additional_headers={"cookie": f"azulejos={cookie}"}) as table:
        sit = {"type": "sit", "seat": seat, "name": "A random bot", "invitation": invited["word"]}
        table.send(json.dumps({"id": 0, "command": sit}))
        position = None
        for number, frame in enumerate(table, 1):
            message = json.loads(frame)
            now = message.get("now", {})
            if now.get("phase") == "over":
                print(now["result"])
                return
            if now.get("turn") == seat and now["position"] != position:
                time.sleep(0.2)  # a table hears 100 messages in 20 seconds
                position = now["position"]  # answer every position once
                play = {"type": "play", "seat": seat, "action": random.choice(now["actions"]), "position": position}
                table.send(json.dumps({"id": number, "command": play}))


if __name__ == "__main__":
    if len(sys.argv) != 2 or not urlsplit(sys.argv[1]).netloc:
        sys.exit(__doc__)
    main(sys.argv[1])
