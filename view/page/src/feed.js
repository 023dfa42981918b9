// The connection to the server: one WebSocket that is opened again when it breaks, and requests
// that are answered by their number. docs/plan-view.md describes the frames.

const PROTOCOL = "coracle.view.1";
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

export class Feed {
  // `onFrame(frame)` gets each frame; `onState(state, sentence)` gets `connecting`, `open`, `lost`
  // or `closed`. `open` makes a socket and `later` a pause, so that tests can own both.
  constructor({ url, onFrame, onState, open, later }) {
    this.url = url;
    this.onFrame = onFrame;
    this.onState = onState;
    this.open = open ?? ((address) => new WebSocket(address, PROTOCOL));
    this.later = later ?? ((action, ms) => setTimeout(action, ms));
    this.requests = new Map();
    this.next = 1;
    this.pause = FIRST_PAUSE_MS;
    this.socket = null;
    this.hadHello = false;
  }

  connect() {
    this.onState("connecting", this.hadHello ? "Connecting again" : "Connecting");
    const socket = this.open(this.url);
    this.socket = socket;
    socket.onmessage = (event) => this.receive(event.data);
    socket.onclose = (event) => this.lost(event);
  }

  receive(text) {
    let frame;
    try {
      frame = JSON.parse(text);
    } catch {
      this.onState("lost", "The server sent a frame that is no JSON.");
      this.socket.close();
      return;
    }
    if (frame === null || typeof frame !== "object") return;
    if (frame.is === "reply") {
      this.settle(frame);
      return;
    }
    if (frame.is === "hello") {
      this.hadHello = true;
      this.pause = FIRST_PAUSE_MS;
      this.onState("open", "");
    }
    this.onFrame(frame);
  }

  settle(frame) {
    const waiting = this.requests.get(frame.id);
    if (!waiting) return;
    this.requests.delete(frame.id);
    if (frame.error !== undefined) waiting.reject(new Error(String(frame.error)));
    else waiting.resolve(frame.ok);
  }

  lost(event) {
    this.socket = null;
    for (const waiting of this.requests.values()) {
      waiting.reject(new Error("The connection broke before the answer came. Try again."));
    }
    this.requests.clear();
    const why = event && event.reason ? String(event.reason) : "The connection is lost.";
    this.onState("lost", `${why} The page keeps trying.`);
    this.later(() => this.connect(), this.pause);
    this.pause = Math.min(LONGEST_PAUSE_MS, this.pause * 2);
  }

  // Resolves to the reply's `ok`, or fails with the server's sentence.
  ask(what, members = {}) {
    if (!this.socket || this.socket.readyState !== 1) {
      return Promise.reject(new Error("The page is not connected. Wait until it is."));
    }
    const id = this.next++;
    const promise = new Promise((resolve, reject) => this.requests.set(id, { resolve, reject }));
    this.socket.send(JSON.stringify({ do: what, id, ...members }));
    return promise;
  }
}
