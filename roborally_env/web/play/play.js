// The page of one seat: shows the race as it is sent, and asks what the player is asked.

import { cardNode } from "../shared/cards.js";
import { middle } from "../shared/cells.js";
import { el, find, svg } from "../shared/elements.js";
import { kept, keptInTab } from "../shared/kept.js";
import { Log } from "../shared/log.js";
import { nameOf, robotsIn } from "../shared/names.js";
import { Panels, shopNodes } from "../shared/panels.js";
import { Race } from "../shared/race.js";
import { RoboBoard } from "../shared/stage.js";
import { About } from "./about.js";
import { Around } from "./around.js";
import { ChoiceDesk } from "./choice.js";
import { setUpControls } from "./controls.js";
import { Countdown } from "./countdown.js";
import { drawGhost, removeGhost } from "./ghost.js";
import { Guide } from "./guide.js";
import { bringDesk, fitTo, placeOrder } from "./layout.js";
import { drawOrder } from "./order.js";
import { ProgramDesk } from "./program.js";
import { FULL, GONE, Link, TAKEN_OVER, UNKNOWN_LINK } from "./socket.js";
import { Wait } from "./wait.js";

const ARROW = "M0 -40L26 -4H10V34H-10V-4H-26Z"; // northwards, round the middle of a cell
const SLOW = 1500; // ms after which the desk says what a ghost or a hint waits for
const LATEST = 4; // sentences about what led to a question

class Page {
  constructor() {
    this.header = null;
    this.own = { robots: [], player: 0, name: "" };
    this.now = null;
    this.shown = 0; // moments
    this.ends = []; // moments there are after each item
    this.reported = 0; // items that the table knows to be shown
    this.lately = []; // the sentences about this register
    this.isPlaying = false;
    this.isFresh = true; // nothing was shown yet: the page begins with what holds now
    this.isPast = false; // another race has started at this table
    this.wantsRematch = false;
    this.desk = null;
    this.deskKey = "";
    setUpControls((theme) => this.applyTheme(theme));
    document.addEventListener("keydown", (event) => this.key(event));
    this.around = new Around({ say: (text) => this.say(text), announce: (text) => this.announce(text) });
    this.wait = new Wait(find("desk"));
    this.countdown = new Countdown();
    this.link = new Link({
      item: (data) => this.item(data),
      now: (data) => this.present(data),
      refused: (text, about) => this.refused(text, about),
      advice: (data) => this.advice(data),
      state: (name, code) => this.connection(name, code),
    });
  }

  // -- what comes in

  item(data) {
    if (this.isPast) return;
    if (data.type === "header") this.begin(data);
    else this.race.add(data);
    if (data.type !== "header") Object.assign(this.meanings, data.meanings); // boards turned otherwise
    this.ends.push(this.race.count);
  }

  /** Another race has started: open it at once for a player who wanted it, else offer it. */
  another() {
    this.isPast = true;
    if (this.wantsRematch || this.now.phase !== "over") location.reload();
    else this.banner("Another race has started.", this.isWatching ? "Watch it" : "Join it", () => location.reload());
  }

  begin(data) {
    if (this.header) {
      this.another();
      return;
    }
    this.header = data.header;
    this.own = data;
    this.race = new Race(this.header);
    document.body.classList.toggle("is-watching", this.isWatching);
    fitTo(this.header);
    this.board = new RoboBoard(find("board"), this.header);
    this.order = el("div", { class: "order" });
    placeOrder(this.order);
    this.panels = new Panels(find("panels"), this.header);
    this.meanings = { 0: data.meanings };
    this.about = new About(this, this.meanings);
    this.log = new Log(find("log"), this.header, () => {}, { live: true });
    if (data.guided) this.beginGuide();
    this.applyTheme(document.documentElement.dataset.theme);
    find("title").textContent = this.header.title;
    document.title = `${this.header.title} · ${data.name}`;
  }

  async beginGuide() {
    const steps = await (await fetch("../assets/play/guide.json")).json();
    this.guide = new Guide(this, steps);
    this.draw();
  }

  present(now) {
    if (this.isPast) return;
    if (this.header && now.race !== this.link.race) { // before its header comes
      this.another();
      return;
    }
    this.now = now;
    if (this.header && this.race.rounds.length && this.isFresh) {
      this.isFresh = false;
      this.catchUp();
    }
    const isAsked = now.questions && now.questions.length > 0; // shown in the title, as the window may be a hidden one
    if (this.header) document.title = isAsked ? `● Your turn · ${this.header.title}` : `${this.header.title} · ${this.own.name}`;
    this.around.show(now, this.own);
    this.countdown.show(now.compiling ?? null);
    this.watch();
    this.draw();
  }

  /** Whether this page only watches. */
  get isWatching() {
    return this.own.player === null;
  }

  /** `about` is "ghost" or "hint" where only that was refused. */
  refused(text, about) {
    if (about) clearTimeout(this.slowAdvice);
    if (about === "ghost") return; // what it was about is over
    this.say(text);
    if (about === "hint" && this.desk && this.desk.showHint) this.desk.showHint(null);
    else if (!about && this.desk && this.desk.refused) this.desk.refused();
  }

  /** A ghost or a hint for what lies on the desk. */
  advice(data) {
    const { desk } = this;
    if (!desk || desk.question.number !== data.number || desk.question.robot !== data.robot) return;
    clearTimeout(this.slowAdvice);
    if (data.type === "hint") desk.showHint(data);
    else if (!desk.hint && desk.showsGhost && String(desk.draft.slots) === String(data.slots)) {
      drawGhost(this.board, data.robot, data.ghost);
      desk.drawWay(data.ghost.text);
    }
  }

  // -- showing the race

  /** Show at once what holds now. */
  catchUp() {
    if (!this.race || !this.race.rounds.length) return; // there is nothing to be shown yet
    this.board.skip();
    this.guide?.goOn();
    for (; this.shown < this.race.count; this.shown += 1) this.note(this.race.moment(this.shown));
    this.show(this.race.stateAt(this.shown));
    this.reportShown();
  }

  /** Show at once what holds at the end of the register that is shown. */
  skipRegister() {
    if (!this.race || this.shown >= this.race.count) return;
    const isStop = (number) => ["register", "round", "end"].includes(this.race.moment(number).kind);
    this.board.skip();
    this.guide?.goOn();
    do {
      this.note(this.race.moment(this.shown));
      this.shown += 1;
    } while (this.shown < this.race.count && !isStop(this.shown));
    this.show(this.race.stateAt(this.shown));
    this.reportShown();
  }

  show(state) {
    this.board.show(state);
    this.after(state);
  }

  /** The upgrades for sale, those too that the robot cannot pay. */
  showShop(state) {
    const nodes = shopNodes(state, this.header);
    find("shop").hidden = nodes.length === 0;
    const key = nodes.map((node) => node.textContent).join(" ");
    if (key !== this.shopKey) find("shop").replaceChildren(...nodes);
    this.shopKey = key;
  }

  after(state) {
    this.state = state;
    this.panels.show(state);
    this.showShop(state);
    drawOrder(this.order, state, this.header);
    this.markOwn();
    this.log.to(this.shown);
    const register = state.register ? ` · register ${state.register}` : "";
    find("clock").title = "Each round has an upgrade phase, a programming phase and five registers. In each register every robot plays one card.";
    find("clock").textContent = state.round ? `Round ${state.round}${register}` : "Before the race";
  }

  note(moment) {
    if (["round", "register"].includes(moment.kind)) this.lately = [];
    else this.lately.push(...(moment.text ?? []));
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
      await this.guide?.meet(moment);
      if (this.shown === before) await this.board.play(moment, Number(find("speed").value));
      if (this.shown !== before) continue; // caught up meanwhile
      this.note(moment);
      this.shown += 1;
      this.after(this.race.stateAt(this.shown));
    }
    this.isPlaying = false;
    this.reportShown();
    this.draw();
  }

  reportShown() {
    if (this.isWatching) return;
    const items = this.ends.filter((end) => end <= this.shown).length;
    if (items > this.reported && this.link.send({ type: "shown", items })) this.reported = items;
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
    this.arrangeDesk(now);
    this.guide?.update();
  }

  arrangeDesk(now) {
    const question = now.questions && now.questions[0];
    if (question && !this.isBehind) this.ask(question);
    else if (this.isBehind && this.header) this.setDesk(null, "playing", () => this.wait.playing(this));
    else if (now.phase === "over") this.setDesk(null, "over", () => this.finish());
    else this.setDesk(null, `wait ${JSON.stringify([now.phase, now.waiting, now.thinking, now.text])}`, () => this.waiting());
  }

  /** Put something on the desk, unless it lies there. */
  setDesk(question, key, make) {
    if (this.deskKey === key) return;
    this.deskKey = key;
    for (const kind of ["asked-cell", "pointed-cell"]) this.mark(null, kind);
    document.querySelectorAll(".target-beam").forEach((line) => line.remove());
    if (this.board) removeGhost(this.board);
    clearTimeout(this.slowAdvice);
    find("desk").className = `desk ${question ? "is-asked" : "is-idle"}`;
    this.desk = make() || null;
    this.about?.look();
    document.body.classList.toggle("is-asked", Boolean(question));
  }

  /** The result, and the winner in view. */
  finish() {
    this.wait.over(this);
    const { at } = this.state?.robots[this.now.result.winners[0]] ?? {};
    if (at) requestAnimationFrame(() => this.board.reveal(at)); // the desk has another height from now on
  }

  ask(question) {
    this.setDesk(question, `ask ${question.number} ${question.robot}`, () => {
      const { role } = this.header.robots[question.robot];
      const whose = this.own.robots.length > 1 ? `Robot ${question.robot}${role ? ` (${role})` : ""}: ` : "";
      const mine = `Program robot ${question.robot}${role ? `, your ${role}` : ""}`;
      const text = whose && question.kind === "program" ? question.text.replace("Program your robot", mine) : whose + question.text;
      const asked = { ...question, text };
      this.announce(asked.text);
      bringDesk();
      const { at } = this.state.robots[question.robot];
      const target = question.about === null || question.about === question.robot ? null : this.state.robots[question.about]?.at;
      if (question.cell) this.mark(question.cell, "asked-cell");
      else if (target) this.mark(target, "asked-cell");
      if (target && at) this.drawBeam(at, target);
      const seen = question.cell ?? at;
      if (seen) requestAnimationFrame(() => this.board.reveal(seen)); // the desk has another height from now on
      return question.kind === "program" ? this.programDesk(asked) : this.choiceDesk(asked);
    });
  }

  /** The line between the robot that is asked and the one that the question is about, where one shoots along it. */
  drawBeam(from, to) {
    if (from[0] !== to[0] && from[1] !== to[1]) return;
    const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
    const line = (kind) => svg("line", { x1, y1, x2, y2, class: kind });
    this.board.layers.robots.before(svg("g", { class: "target-beam", "aria-hidden": "true" }, line("target-casing"), line("target-line")));
  }

  programDesk(question) {
    const { number, robot, hand } = question;
    const draft = this.draft(number, robot);
    const sendDraft = (slots, powersDown) => this.now.timer && this.link.send(
      { type: "draft", number, robot, slots, power_down: powersDown });
    if (draft) sendDraft(draft.slots, Boolean(draft.powersDown));
    // the next stop of the tab key is on the desk
    if (document.activeElement === document.body) find("desk").focus({ preventScroll: true });
    return new ProgramDesk(find("desk"), question, this.header, draft, {
      changed: (slots, powersDown) => {
        const cards = slots.map((slot) => (slot === null ? null : hand[slot]));
        keptInTab.set(`draft ${robot}`, { key: `${this.link.race} ${number}`, slots, powersDown, cards });
        sendDraft(slots, powersDown);
      },
      say: (text) => this.say(text),
      confirm: (slots, powersDown) => this.send({ type: "program", number, robot, slots, power_down: powersDown }),
      hint: () => this.askHint(number, robot),
      showHint: (hint) => drawGhost(this.board, robot, hint && hint.ghost),
      ghosts: (isOn) => kept.set("roborally-ghost", isOn),
      ghost: (slots) => {
        this.askGhost(number, robot, slots);
        this.guide?.update();
      },
    }, showsGhosts());
  }

  /** Ask for the way of the placed cards, if it is shown; it replaces the old one when it arrives. */
  askGhost(number, robot, slots) {
    const isAsked = showsGhosts() && slots.some((slot) => slot !== null);
    if (isAsked && this.link.send({ type: "ghost", number, robot, slots })) this.waitForAdvice();
    else removeGhost(this.board);
  }

  askHint(number, robot) {
    const isSent = this.send({ type: "hint", number, robot });
    if (isSent) this.waitForAdvice();
    return isSent;
  }

  /** Say what is compiled where a ghost or a hint takes long. */
  waitForAdvice() {
    clearTimeout(this.slowAdvice);
    this.slowAdvice = setTimeout(() => this.desk?.showWait?.(this.countdown.node), SLOW);
  }

  /** The cards placed for a question on this page, also before it was reloaded; null without any. */
  draft(number, robot) {
    const draft = keptInTab.get(`draft ${robot}`);
    return draft && draft.key === `${this.link.race} ${number}` ? draft : null;
  }

  choiceDesk(question) {
    const { number, robot } = question;
    const led = question.register ? this.lately.filter((text) => robotsIn([text]).includes(robot)).slice(-LATEST) : [];
    return new ChoiceDesk(find("desk"), question, this.header, led, this.lying(question), {
      point: (cell, facing) => this.mark(cell, "pointed-cell", facing),
      confirm: (option, rest) => this.send({ type: "choice", number, robot, option, rest }),
      hint: () => this.askHint(number, robot),
    });
  }

  /** What a choice is about: the program while it is carried out, else the hand, where there is one. */
  lying({ robot, register, answers }) {
    if (register) return this.wait.registers(this, [robot]);
    const { hand } = this.state.robots[robot];
    if (!hand.length || answers.some(({ card }) => card)) return [];
    const cards = hand.map((name) => el("li", { class: "hand-card is-shown" }, cardNode(name, this.header)));
    return [el("ol", { class: hand.length > 9 ? "hand is-wide" : "hand", "aria-label": "Your hand" }, ...cards)];
  }

  waiting() {
    const { now } = this;
    this.wait.waiting(this);
    if (now.phase !== "asking" || now.thinking !== null) this.wait.add(this.countdown.node);
  }

  send(message) {
    if (this.link.send(message)) return true;
    this.say("No connection: nothing was sent.");
    return false;
  }

  rematch() {
    this.wantsRematch = this.send({ type: "rematch" });
  }

  /** Mark a cell on the board: the space of a question or of an answer, with an arrow where that is a direction. It is
   *  the only one of its kind, unless it is one more. */
  mark(cell, kind, facing = null, isMore = false) {
    if (!isMore) document.querySelectorAll(`.${kind}`).forEach((mark) => mark.remove());
    const drawing = cell && find("board").querySelector("svg");
    if (!drawing) return;
    const [x, y] = middle(cell);
    const mark = svg("g", { class: kind, transform: `translate(${x} ${y})` });
    mark.append(svg("rect", { x: -46, y: -46, width: 92, height: 92, rx: 12 }));
    if (facing) mark.append(svg("path", { d: ARROW, transform: `rotate(${90 * "NESW".indexOf(facing)})` }));
    drawing.append(mark);
    this.board.reveal(cell);
  }

  // -- words

  robotName(robot) {
    return this.own.robots.includes(robot) ? "your robot" : nameOf(robot, this.header);
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
    document.body.classList.toggle("is-lost", name !== "open");
    if (name === "open") find("banner").hidden = !this.isPast;
    else if (name === "lost") this.banner("Connection lost. Reconnecting …");
    else if (code === UNKNOWN_LINK) this.banner("The race has ended, or your link has changed. Ask whoever runs the game for a new link.");
    else if (code === FULL) this.banner("The limit of spectators has been reached.", "Try again", () => location.reload());
    else if (code === TAKEN_OVER) this.banner("This seat is open in another window.", "Play here", () => location.reload());
    else if (code === GONE) {
      this.banner("The server does not answer: roborally play has ended, or the network is down. The server has saved the race so far.",
        "Try again", () => this.link.again());
    }
  }

  /** A line above everything, with a button if there is something to do. */
  banner(text, title = "", act = null) {
    const banner = find("banner");
    banner.hidden = false;
    banner.replaceChildren(el("span", { text }), ...(title ? [el("button", { type: "button", text: title, onclick: act })] : []));
  }

  // -- controls

  applyTheme(theme) {
    document.documentElement.dataset.theme = theme;
    if (this.board) this.board.theme(theme);
  }

  key(event) {
    if (event.altKey || event.target.tagName === "SELECT") return;
    if (find("help-box").open || find("share-box").open) return;
    if (event.ctrlKey || event.metaKey) {
      if (this.desk && this.desk.control && this.desk.control(event)) event.preventDefault();
      return;
    }
    const onButton = event.target.closest("button, a") && !event.target.closest(".registers, .hand");
    if (event.key === "Enter" && onButton) return;
    if (event.key === "Enter" && event.repeat) return;
    if (event.key === "?") find("help-box").showModal();
    else if (event.key === "s" || event.key === "S") this.catchUp();
    else if ((event.key === "r" || event.key === "R") && this.isBehind) this.skipRegister();
    else if (!this.desk || !this.desk.key || !this.desk.key(event)) return;
    event.preventDefault();
  }
}

/** Whether the ghost is shown in this browser. */
function showsGhosts() {
  return kept.get("roborally-ghost") !== false;
}

new Page();
