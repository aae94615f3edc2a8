// The protocol's messages, made from the server's own definitions: see docs/protocol.md.

export type AddNonce = {
  type: "add nonce";
  seat: number;
  nonce: string;
};

export type AnswerHandOver = {
  type: "answer hand over";
  seat: number;
  agree: boolean;
};

export type AnswerTakeback = {
  type: "answer takeback";
  seat: number;
  agree: boolean;
};

export type AskHint = {
  type: "ask hint";
  seat: number;
  position: number;
};

export type AskRematch = {
  type: "ask rematch";
  seat: number;
};

export type AskTakeback = {
  type: "ask takeback";
  seat: number;
};

export type Choice = {
  action: string;
  words: string;
  picks: Pick[];
  preview: Preview;
  then?: string[];
  any_order?: boolean;
  ways?: Pick[][];
};

export type ClaimWin = {
  type: "claim win";
  seat: number;
};

export type Closed = {
  after: string;
  place: string;
  why: string;
};

export type Done = {
  type: "done";
  id: number;
  number: number;
};

export type EventsMessage = {
  type: "events";
  events: Told[];
  now: Now;
};

export type Flight = {
  shape: string;
  start: string;
  end: string;
  kind?: string;
};

export type FreeSeat = {
  type: "free seat";
  seat: number;
};

export type FromClient = Request;

export type FromServer = Preparing | Notice | TableMessage | EventsMessage | Done | Hints | Refused;

export type Ghost = {
  place: string;
  shape: string;
  kind?: string;
};

export type HandOver = {
  type: "hand over";
  seat: number;
  player: string;
};

export type HandoverView = {
  seat: number;
  player: string;
  by: number;
  words: string;
};

export type Hint = {
  action: string;
  words: string;
  chance: number;
};

export type Hints = {
  type: "hints";
  id: number;
  position: number;
  hints: Hint[];
};

export type LastMove = {
  words: string;
  seat: number;
  places: string[];
};

export type Leave = {
  type: "leave";
  seat: number;
};

export type Line = {
  words: string;
  points: number[];
};

export type Look = {
  type: "look";
};

export type Mark = {
  place: string;
  text: string;
};

export type May = {
  type: string;
  seat: number;
};

export type Notice = {
  type: "notice";
  words: string;
};

export type Now = {
  number: number;
  position: number;
  phase: string;
  game: string;
  options: Record<string, string>;
  seats: SeatView[];
  turn: number | null;
  status: string;
  commitment: string;
  round?: number;
  scores?: number[];
  projected?: number[];
  text?: string;
  state?: Record<string, any>;
  actions?: string[];
  winners?: number[];
  result?: string;
  tally?: Line[];
  notice?: string;
  ask?: string;
  choices?: Choice[];
  closed?: Closed[];
  board?: string;
  patch?: Patch | null;
  can?: May[];
  last?: LastMove | null;
  takeback?: TakebackView | null;
  handover?: HandoverView | null;
  claim_after?: number;
  claim?: string;
  can_take_back?: boolean;
  can_ask_hint?: boolean;
  rematch?: number[];
  next_table?: string;
  previous_table?: string;
  public?: boolean;
  watching?: number;
  people?: string[];
  seed?: string;
  nonces?: string[];
  view?: string;
};

export type Patch = {
  pieces: Record<string, string>;
  gone?: string[];
  after?: Record<string, string>;
};

export type Pick = {
  place: string;
  words: string;
  asks?: string;
  falls?: string[];
  sure?: boolean;
};

export type Play = {
  type: "play";
  seat: number;
  action: string;
  position: number;
};

export type PlayFor = {
  type: "play for";
  seat: number;
  position: number;
  action: number | null;
};

export type Preparing = {
  type: "preparing";
  words: string;
};

export type Preview = {
  words: string;
  projected: number;
  ghosts?: Ghost[];
  marks?: Mark[];
};

export type Refused = {
  type: "refused";
  id: number;
  reason: string;
  message: string;
  now: Now;
};

export type Request = {
  id: number;
  command: Sit | Leave | HandOver | AnswerHandOver | ClaimWin | FreeSeat | AddNonce | Play | Resign | AskTakeback | AnswerTakeback | AskRematch | AskHint | PlayFor | Since | Look;
};

export type Resign = {
  type: "resign";
  seat: number;
};

export type SeatView = {
  name: string;
  who: string;
  player: string;
  yours: boolean;
  here: boolean;
  away: boolean;
  invitation: string | null;
};

export type Since = {
  type: "since";
  number: number;
};

export type Sit = {
  type: "sit";
  seat: number;
  name: string;
  invitation?: string;
  nonce?: string;
};

export type Step = {
  words: string | null;
  seat: number | null;
  flights?: Flight[];
  marks?: Mark[];
  points?: number;
};

export type TableMessage = {
  type: "table";
  now: Now;
  log: Told[];
};

export type TakebackView = {
  seat: number;
  actions: number;
  waiting: number[];
};

export type Told = {
  number: number;
  kind: string;
  words: string;
  seat?: number | null;
  action?: string;
  steps?: Step[];
  round?: number;
  scores?: number[];
  actions?: number;
};
