// The connection to the table: it comes back by itself, and asks only for what the page has not.

const WAITS = [300, 700, 1500, 3000, 6000, 10000, 10000]; // ms before each new try; then the server counts as gone
export const GONE = 0; // no code of a socket: nothing answers any more
export const TAKEN_OVER = 4001;
export const UNKNOWN_LINK = 4403;
export const FULL = 4429;

/** Keeps a WebSocket open. `on` has: item(data), now(data), refused(text, about), advice(data), state(name, code). */
export class Link {
  constructor(on) {
    this.on = on;
    this.race = "";
    this.items = 0; // of that race, in their order
    this.tries = 0;
    this.open();
  }

  open() {
    clearTimeout(this.timer);
    const address = new URL(`${location.pathname.replace(/\/$/, "")}/socket`, location.href);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.search = new URLSearchParams({ race: this.race, have: this.items }).toString();
    this.socket = new WebSocket(address);
    this.socket.onmessage = (event) => this.read(JSON.parse(event.data));
    this.socket.onclose = (event) => this.closed(event.code);
  }

  read(data) {
    if (this.tries >= 0) this.on.state("open");
    this.tries = -1;
    if (data.type === "now") this.on.now(data);
    else if (data.type === "refused") this.on.refused(data.text, data.about);
    else if (data.type === "ghost" || data.type === "hint") this.on.advice(data);
    else this.item(data);
  }

  item(data) {
    if (data.type === "header" && data.race !== this.race) {
      this.race = data.race;
      this.items = 0;
    }
    this.items += 1;
    this.on.item(data);
  }

  closed(code) {
    if ([TAKEN_OVER, UNKNOWN_LINK, FULL].includes(code)) {
      this.on.state("closed", code);
      return;
    }
    this.tries = Math.max(this.tries, 0);
    this.on.state("lost", code);
    if (this.tries >= WAITS.length) {
      this.on.state("closed", GONE);
      return;
    }
    this.timer = setTimeout(() => this.open(), WAITS[this.tries]);
    this.tries += 1;
  }

  /** Try anew, after the server counted as gone. */
  again() {
    this.tries = 0;
    this.open();
  }

  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Send a message; false where there is no connection. */
  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }
}
