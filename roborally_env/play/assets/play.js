// The page of one seat: shows the race as it is sent, and asks what the player is asked. Drawing is board.js's.

import { ChoiceDesk } from "./choice.js";
import { kept, setUpControls } from "./controls.js";
import { el, robotName } from "./dom.js";
import { ProgramDesk } from "./program.js";
import { Link, TAKEN_OVER, UNKNOWN_LINK } from "./socket.js";
import { Wait } from "./wait.js";

const find = (id) => document.getElementById(id);
const LONG_WAIT = 5000; // ms after which a bot that thinks may be compiling

class Page {
  constructor() {
    this.header = null;
    this.own = { robots: [], player: 0, name: "" };
    this.now = null;
    this.shown = 0; // moments
    this.ends = []; // moments there are after each item
    this.told = 0; // items that the table knows to be shown
    this.isPlaying = false;
    this.isFresh = true; // nothing was shown yet: the page begins with what holds now
    this.desk = null;
    this.deskKey = "";
    setUpControls((theme) => this.applyTheme(theme));
    document.addEventListener("keydown", (event) => this.key(event));
    this.wait = new Wait(find("desk"));
    this.link = new Link({
      item: (data) => this.item(data),
      now: (data) => this.present(data),
      refused: (text) => this.refused(text),
      state: (name, code) => this.connection(name, code),
    });
  }

  // -- what comes in

  item(data) {
    if (data.type === "header") this.begin(data);
    else this.race.add(data);
    this.ends.push(this.race.count);
  }

  begin(data) {
    if (this.header) { // another race under this address: begin anew
      location.reload();
      return;
    }
    this.header = data.header;
    this.own = data;
    this.race = new Robo.Race(this.header);
    this.board = new Robo.RoboBoard(find("board"), this.header);
    this.panels = new Robo.Panels(find("panels"), this.header);
    this.log = new Robo.Log(find("log"), this.header, () => {}, { live: true });
    this.applyTheme(document.documentElement.dataset.theme);
    find("title").textContent = this.header.title;
    document.title = `${this.header.title} · ${data.name}`;
  }

  present(now) {
    this.now = now;
    if (this.header && this.race.count && this.isFresh) {
      this.isFresh = false;
      this.catchUp();
    }
    const isAsked = now.questions && now.questions.length > 0; // told in the title, as the window may be a hidden one
    if (this.header) document.title = isAsked ? `● Your turn · ${this.header.title}` : `${this.header.title} · ${this.own.name}`;
    this.watch();
    this.draw();
  }

  refused(text) {
    this.say(text);
    if (this.desk && this.desk.refused) this.desk.refused();
  }

  // -- showing the race

  /** Show at once what holds now. */
  catchUp() {
    if (!this.race || !this.race.rounds.length) return; // there is nothing to be shown yet
    this.board.skip();
    for (; this.shown < this.race.count; this.shown += 1) this.tell(this.race.moment(this.shown));
    this.show(this.race.stateAt(this.shown));
    this.tellShown();
  }

  show(state) {
    this.board.show(state);
    this.after(state);
  }

  after(state) {
    this.state = state;
    this.panels.show(state);
    this.markOwn();
    this.log.to(this.shown);
    const register = state.register ? ` · register ${state.register}` : "";
    find("clock").textContent = state.round ? `Round ${state.round}${register}` : "Before the race";
  }

  tell(moment) {
    if (moment.text && moment.text.length) this.log.add(moment.text, this.shown + 1, moment.kind);
  }

  /** Play moment after moment up to what holds now. */
  async watch() {
    if (this.isPlaying || !this.header || this.isFresh) return;
    this.isPlaying = true;
    while (this.shown < this.race.count) {
      const moment = this.race.moment(this.shown);
      const before = this.shown;
      this.wait.playing(this);
      await this.board.play(moment, Number(find("speed").value));
      if (this.shown !== before) continue; // caught up meanwhile
      this.tell(moment);
      this.shown += 1;
      this.after(this.race.stateAt(this.shown));
    }
    this.isPlaying = false;
    this.tellShown();
    this.draw();
  }

  tellShown() {
    const items = this.ends.filter((end) => end <= this.shown).length;
    if (items > this.told && this.link.send({ type: "shown", items })) this.told = items;
  }

  markOwn() {
    for (const robot of this.own.robots) {
      const panel = find("panels").querySelector(`[data-robot="${robot}"]`);
      if (panel) panel.classList.add("is-own");
    }
  }

  // -- the desk

  get isBehind() {
    return !this.header || this.shown < this.race.count || this.ends.length < (this.now ? this.now.items : 0);
  }

  draw() {
    const { now } = this;
    if (!now) return;
    const question = now.questions && now.questions[0];
    if (question && !this.isBehind) this.ask(question);
    else if (this.isBehind && this.header) this.lay(null, "playing", () => this.wait.playing(this));
    else if (now.phase === "over") this.lay(null, "over", () => this.wait.over(this));
    else this.lay(null, `wait ${JSON.stringify([now.phase, now.waiting, now.thinking, now.text])}`, () => this.waiting());
  }

  /** Put something on the desk, unless it lies there. */
  lay(question, key, make) {
    if (this.deskKey === key) return;
    this.deskKey = key;
    clearTimeout(this.slow);
    find("desk").className = `desk ${question ? "is-asked" : "is-idle"}`;
    this.desk = make() || null;
    document.body.classList.toggle("is-asked", Boolean(question));
  }

  ask(question) {
    this.lay(question, `ask ${question.number} ${question.robot}`, () => {
      const { role } = this.header.robots[question.robot];
      const whose = this.own.robots.length > 1 ? `Robot ${question.robot}${role ? ` (${role})` : ""}: ` : "";
      const asked = { ...question, text: whose + question.text };
      this.announce(asked.text);
      this.bringDesk();
      return question.kind === "program" ? this.programDesk(asked) : this.choiceDesk(asked);
    });
  }

  /** A question that nobody sees is none: on small screens the board and the desk come back into view. */
  bringDesk() {
    const { top, bottom } = find("desk").getBoundingClientRect();
    if (bottom < 100 || top > innerHeight - 100) scrollTo({ top: 0 });
  }

  programDesk(question) {
    const { number, robot, hand } = question;
    const draft = this.draft(number, robot);
    return new ProgramDesk(find("desk"), question, this.header, draft && draft.slots, {
      changed: (slots) => kept.set(sessionStorage, `draft ${robot}`, {
        key: `${this.link.race} ${number}`,
        slots,
        cards: slots.map((slot) => (slot === null ? null : hand[slot])),
      }),
      say: (text) => this.say(text),
      confirm: (slots) => this.send({ type: "program", number: question.number, robot: question.robot, slots }),
    });
  }

  /** What was laid for a question on this page, also before it was loaded again; null without any. */
  draft(number, robot) {
    const draft = kept.get(sessionStorage, `draft ${robot}`);
    return draft && draft.key === `${this.link.race} ${number}` ? draft : null;
  }

  choiceDesk(question) {
    const program = question.register ? this.wait.registers(this, [question.robot]) : [];
    return new ChoiceDesk(find("desk"), question, this.header, program, {
      point: (cell) => this.point(cell),
      confirm: (option) => this.send({ type: "choice", number: question.number, robot: question.robot, option }),
    });
  }

  waiting() {
    const { now } = this;
    this.wait.waiting(this);
    if (now.thinking !== null) {
      this.slow = setTimeout(() => this.wait.hint("The first time on a machine its code is compiled; that takes a while."),
        LONG_WAIT);
    }
  }

  send(message) {
    if (this.link.send(message)) return true;
    this.say("There is no connection: nothing was sent.");
    return false;
  }

  /** Mark a cell on the board, as the space of an answer. */
  point(cell) {
    document.querySelectorAll(".pointed-cell").forEach((mark) => mark.remove());
    const drawing = cell && find("board").querySelector("svg");
    if (!drawing) return;
    const mark = document.createElementNS("http://www.w3.org/2000/svg", "rect");
    const at = { x: cell[0] * 100 + 4, y: cell[1] * 100 + 4, width: 92, height: 92, rx: 12 };
    Object.entries(at).forEach(([name, value]) => mark.setAttribute(name, value));
    mark.setAttribute("class", "pointed-cell");
    drawing.append(mark);
  }

  // -- words

  robotName(robot) {
    return this.own.robots.includes(robot) ? "your robot" : robotName(robot, this.header);
  }

  say(text) {
    const toast = el("p", { class: "toast", role: "alert", text });
    document.querySelectorAll(".toast").forEach((old) => old.remove());
    document.body.append(toast);
    setTimeout(() => toast.remove(), 6000);
  }

  announce(text) {
    find("announced").textContent = text;
  }

  connection(name, code) {
    const banner = find("banner");
    banner.hidden = name === "open";
    document.body.classList.toggle("is-lost", name !== "open");
    if (name === "lost") banner.textContent = "The connection is lost. It is tried again …";
    if (code === UNKNOWN_LINK) banner.textContent = "This link opens no seat any more. The terminal shows the current one.";
    if (code === TAKEN_OVER) {
      banner.replaceChildren(
        el("span", { text: "This seat is played in another window." }),
        el("button", { type: "button", text: "Play here", onclick: () => location.reload() }),
      );
    }
  }

  // -- controls

  applyTheme(theme) {
    document.documentElement.dataset.theme = theme;
    if (this.board) this.board.theme(theme);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    if (find("help-box").open) return;
    const onButton = event.target.closest("button, a") && !event.target.closest(".registers, .hand");
    if (event.key === "Enter" && onButton) return;
    if (event.key === "Enter" && event.repeat) return;
    if (event.key === "?") find("help-box").showModal();
    else if (event.key === "s" || event.key === "S") this.catchUp();
    else if (!this.desk || !this.desk.key || !this.desk.key(event)) return;
    event.preventDefault();
  }
}

new Page();
