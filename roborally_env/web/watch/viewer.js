import { el, find, svg } from "../shared/elements.js";
import { Log } from "../shared/log.js";
import { sentence, sentenceNode } from "../shared/names.js";
import { Panels, shopNodes } from "../shared/panels.js";
import { Race } from "../shared/race.js";
import { RoboBoard } from "../shared/stage.js";
import { Events } from "./events.js";
import { Tools } from "./tools.js";

const BETWEEN_LABELS = 6; // percent of the slider; numbers of rounds that are closer would touch on a phone
const WIDE = 16; // columns from which on a board takes the room of panels
const VAST = 24; // and of the whole page
const DEEP = 14; // rows from which on a wide board takes the room of the log
const SPEEDS = [0.25, 0.5, 1, 2, 4, 8];
const ROUND = ["round"];
const REGISTER = ["register", "round"];
// shapes on 24 x 24
const SHAPES = {
  play: "M7 4l13 8-13 8z", pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M16 5v14L6 12z", on: "M8 5v14l10-7z",
  backRegister: "M13 5v14L4 12zM21 5v14l-9-7z", onRegister: "M11 5v14l9-7zM3 5v14l9-7z",
  backRound: "M19 5v14L8 12zM4 5h3v14H4z", onRound: "M5 5v14l11-7zM17 5h3v14h-3z",
};

/** The page: one place in the race, the controls that change it, and everything that shows it. */
class Viewer {
  constructor(data, Review) {
    this.header = data.header;
    this.checks = data.checks;
    this.race = new Race(this.header);
    data.rounds.forEach((chunk) => this.race.add(chunk));
    this.at = 0;
    this.speed = 1;
    this.playing = false;
    this.build();
    this.review = Review && new Review(this, data.review);
    this.bind(Review ? Review.KEYS : []);
    this.follow();
  }

  // -- building

  build() {
    const { header } = this;
    document.querySelector("h1").textContent = header.title;
    const course = header.title === header.course_title ? "" : `${header.course_title}, `;
    const last = this.race.rounds.at(-1);
    const isBegun = last.round > 0 && !this.race.moments.slice(last.first).some(({ kind }) => kind === "register");
    const rounds = this.race.rounds.length - 1 - isBegun; // an upgrade phase alone is no round
    const subtitle = `${course}${header.edition} edition, ${header.robots.length} robots, ${count(rounds, "round")}`;
    document.querySelector(".rr-subtitle").textContent = subtitle;
    this.board = new RoboBoard(find("board"), header);
    this.panels = new Panels(find("panels"), header);
    this.log = new Log(find("log"), header, (number) => this.go(number));
    this.race.moments.forEach((moment, i) => this.log.add(moment.text, i + 1, moment.kind));
    this.slider = find("slider");
    this.slider.max = this.race.count;
    this.buildButtons();
    this.buildMarks();
    this.events = new Events(find("events"), this.race, (k) => this.go(k));
    this.buildChecks();
    find("shop").hidden = !header.upgrades;
    const { classList } = document.querySelector(".rr-main");
    classList.toggle("rr-many", header.robots.length > 4);
    classList.toggle("rr-tall", header.height > header.width);
    classList.toggle("rr-wide", header.width > WIDE);
    classList.toggle("rr-vast", header.width > VAST);
    classList.toggle("rr-deep", header.height > DEEP);
  }

  buildButtons() {
    const step = (id, label, go, keys) => button(id, label, go, keys);
    this.play = step("play", "Play", () => this.toggle(), "Space");
    this.pace = el("select", { "aria-label": "Speed", onchange: () => this.setSpeed(Number(this.pace.value)) });
    for (const speed of SPEEDS) this.pace.append(el("option", { value: speed, text: `${speed}×` }));
    this.pace.value = "1";
    find("buttons").append(
      step("backRound", "Back one round", () => this.seek(-1, ROUND), "["),
      step("backRegister", "Back one register", () => this.seek(-1, REGISTER), "Shift+ArrowLeft"),
      step("back", "Back one moment", () => this.go(this.at - 1), "ArrowLeft"),
      this.play,
      step("on", "Forward one moment", () => this.stepOn(), "ArrowRight"),
      step("onRegister", "Forward one register", () => this.seek(1, REGISTER), "Shift+ArrowRight"),
      step("onRound", "Forward one round", () => this.seek(1, ROUND), "]"),
      this.pace,
    );
  }

  /** A mark for each round below the slider; rounds that are not as recorded look different. */
  buildMarks() {
    let labelled = -Infinity;
    this.race.rounds.slice(1).forEach(({ round, first }) => {
      const left = (100 * first) / Math.max(1, this.race.count);
      const mark = el("button", { type: "button", tabindex: "-1", title: `Round ${round}`, onclick: () => this.go(first + 1) });
      if (left - labelled >= BETWEEN_LABELS) {
        mark.textContent = round;
        labelled = left;
      }
      if (round >= (this.checks.differs ?? Infinity)) mark.className = "rr-unsure";
      mark.style.left = `${left}%`;
      find("marks").append(mark);
    });
  }

  buildChecks() {
    const icons = { good: "✓", warning: "!", bad: "!" };
    for (const { level, text } of this.checks.notes) {
      const role = level === "good" ? "note" : "alert";
      const mark = el("b", { "aria-hidden": "true", text: icons[level] });
      find("checks").append(el(`p.rr-check.rr-${level}`, { role }, mark, text));
    }
  }

  /** `keys` are further lines of the list of keys. */
  bind(keys) {
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.tools = new Tools(() => this.link(), keys);
    document.addEventListener("keydown", (event) => this.key(event));
    // the space bar always plays; Enter presses the button that has the focus
    document.addEventListener("keyup", (event) => event.key === " " && !event.target.closest("select, dialog, input") && event.preventDefault());
    // a button that was clicked gives the space bar back to play and pause
    document.addEventListener("click", (event) => event.detail && document.activeElement?.closest("button")?.blur());
    addEventListener("hashchange", () => this.follow());
  }

  // -- where we are

  /** Show the moment `k` at once. */
  go(k, keepPlaying = false) {
    if (!keepPlaying) this.pause();
    this.at = Math.min(Math.max(0, k), this.race.count);
    this.board.show(this.race.stateAt(this.at), this.at ? this.race.moment(this.at - 1) : null);
    this.showRest();
    this.remember();
  }

  seek(step, kinds) {
    this.go(this.race.seek(this.at, step, kinds));
  }

  /** One moment on, as a movement. */
  async stepOn() {
    this.pause();
    if (this.at >= this.race.count) return;
    const moment = this.race.moment(this.at);
    await this.next();
    if (!this.playing && this.race.moment(this.at - 1) === moment) this.board.show(this.board.state, moment);
    this.remember();
  }

  async next() {
    const moment = this.race.moment(this.at);
    this.at += 1;
    const done = this.board.play(moment, this.speed);
    this.showRest();
    await done;
  }

  showRest() {
    const state = this.board.state;
    const moment = this.at ? this.race.moment(this.at - 1) : null;
    this.panels.show(state);
    find("shop").replaceChildren(...shopNodes(state, this.header));
    this.log.to(this.at);
    this.slider.value = this.at;
    this.review?.to(this.at);
    find("where").textContent = place(state);
    const words = (moment?.text ?? []).map((text) => sentence(text, this.header)).join(" ");
    find("what").textContent = /^(Round|Register) \d+$/.test(words) ? "" : words;
    const text = `${find("where").textContent}. ${words}`;
    this.slider.setAttribute("aria-valuetext", text);
    if (!this.playing) find("said").textContent = text;
    this.showWinner(state);
  }

  showWinner(state) {
    const banner = find("winner");
    const last = this.race.count ? this.race.moment(this.race.count - 1) : null;
    banner.hidden = !(state.over && last?.kind === "end" && this.at === this.race.count);
    if (!banner.hidden) banner.replaceChildren(sentenceNode(last.text.join(" "), this.header));
  }

  // -- playing

  toggle() {
    if (this.playing) this.pause();
    else this.run();
  }

  async run() {
    if (this.at >= this.race.count) this.go(0);
    this.setPlaying(true);
    const turn = {};
    this.turn = turn; // a later press of play takes over
    while (this.turn === turn && this.playing && this.at < this.race.count) {
      await this.next();
      if (this.board.calm.matches) await new Promise((resolve) => setTimeout(resolve, 450 / this.speed));
    }
    if (this.turn === turn && this.playing) this.pause();
  }

  pause() {
    if (!this.playing) return;
    this.setPlaying(false);
    this.turn = null;
    this.remember();
  }

  setPlaying(playing) {
    this.playing = playing;
    label(this.play, playing ? "pause" : "play", playing ? "Pause" : "Play");
  }

  setSpeed(speed) {
    this.speed = speed;
    this.pace.value = String(speed);
  }

  faster(step) {
    const at = SPEEDS.indexOf(this.speed) + step;
    this.setSpeed(SPEEDS[Math.min(Math.max(0, at), SPEEDS.length - 1)]);
  }

  // -- links, keys

  /** Go where the address says; to the start without a moment in it. */
  follow() {
    const found = /^#m=(\d+)$/.exec(location.hash);
    const k = found ? Number(found[1]) : 0;
    if (k !== this.at || !this.board.state) this.go(k);
  }

  /** The moment into the address, without a new entry in the history. */
  remember() {
    try {
      history.replaceState(null, "", `#m=${this.at}`);
    } catch {
      // a page that may not change its address plays all the same
    }
  }

  /** The address of the moment that is shown. */
  link() {
    this.remember();
    return `${location.href.replace(/#.*/, "")}#m=${this.at}`;
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || find("keys").open) return;
    if (event.target.closest("select, dialog")) return;
    const act = this.action(event.key.length === 1 ? event.key.toLowerCase() : event.key, event.shiftKey);
    if (!act) return;
    event.preventDefault();
    act();
  }

  action(key, shiftKey) {
    const kinds = shiftKey ? REGISTER : null;
    return {
      " ": () => this.toggle(),
      ArrowLeft: () => (kinds ? this.seek(-1, kinds) : this.go(this.at - 1)),
      ArrowRight: () => (kinds ? this.seek(1, kinds) : this.stepOn()),
      "[": () => this.seek(-1, ROUND),
      "]": () => this.seek(1, ROUND),
      Home: () => this.go(0),
      End: () => this.go(this.race.count),
      e: () => this.go(this.events.seek(this.at, shiftKey ? -1 : 1) ?? this.at),
      ".": () => this.faster(1),
      ">": () => this.faster(1),
      ",": () => this.faster(-1),
      "<": () => this.faster(-1),
      c: () => this.tools.copy(),
      l: () => this.tools.nextTheme(),
      n: this.review && (() => this.review.step(shiftKey ? -1 : 1)),
      "?": () => this.tools.help(),
    }[key];
  }
}

const place = ({ round, register }) => (round ? `Round ${round}${register ? `, register ${register}` : ""}` : "The start");

const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

const button = (shape, text, go, keys) => {
  const node = el("button", { type: "button", id: `do-${shape}`, "aria-keyshortcuts": keys, onclick: go });
  label(node, shape, text);
  return node;
};

const label = (node, shape, text) => {
  node.setAttribute("aria-label", text);
  node.title = text;
  const icon = svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" });
  icon.append(svg("path", { d: SHAPES[shape] }));
  node.replaceChildren(icon);
};

/**
 * Play the race of the page. The viewer is a property of the page's `main`, for the console and scripts of your own.
 * @param {?function} [Review] the class that shows what a review has found
 */
export function openViewer(Review = null) {
  document.querySelector("main").viewer = new Viewer(JSON.parse(find("race").textContent), Review);
}
