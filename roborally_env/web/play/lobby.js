// The start page: a race is chosen here, and begins.

import { el, find } from "../shared/elements.js";
import { kept } from "../shared/kept.js";
import { setUpTheme } from "./controls.js";
import { Countdown, follow } from "./countdown.js";
import { linkField, linkTo } from "./links.js";

const HERE = location.pathname.replace(/\/$/, "");
const KEPT = "roborally-choice";
const SEEDS = 10 ** 6; // short enough to share
const BANDS = [1, 2, 3, 4, 5];
const SURPRISE = "surprise";
const DIFFICULTIES = ["starter", "easy", "beginner", "mid", "intermediate", "hard", "advanced", "expert", "robots must die", "team"];
const DOTS = { // of five, by the words of the course manuals
  starter: 1, easy: 2, beginner: 2, mid: 3, intermediate: 3, hard: 4, advanced: 4, expert: 5, "robots must die": 5,
};
const PLAYS = { // how bots play
  easy: "They make a beginner's mistakes: they overlook cards, mix up left and right, or forget to shop.",
  random: "They play random cards.",
  greedy: "Each plays its best program as if it were alone on the board.",
  planner: "They simulate what every robot may do.",
  "learned-search": "They simulate what every robot may do, and have learned from many races.",
};
const LEVELS = { easy: "Easy", normal: "Normal", hard: "Hard", expert: "Expert", named: "Choose" };
const SECONDS = [30, 60, 90];
const WHOLE = /^\d{1,15}$/;
const BOT_TIMES = { 0: "at once", 30: "after 30 seconds", 60: "after a minute", 120: "after two minutes" };

/** What was opened is scrolled to, as far as it fits. */
const showMore = () => find("more").open && find("more").scrollIntoView({ block: "nearest" });

class StartPage {
  constructor() {
    this.countdown = new Countdown();
    find("wrong").after(this.countdown.node);
    setUpTheme((theme) => this.applyTheme(theme));
    this.load();
  }

  applyTheme(theme) {
    this.theme = theme;
    document.documentElement.dataset.theme = theme;
    if (this.choices) this.draw();
  }

  async load() {
    const answer = await fetch(`${HERE}/choices.json`).catch(() => null);
    if (!answer || !answer.ok) {
      find("loading").textContent = "The game is no longer available: roborally play has ended, or this link is out of date.";
      return;
    }
    this.choices = await answer.json();
    this.choose();
    find("loading").hidden = true;
    find("choice").hidden = false;
    find("guide").hidden = false;
    find("guide").onclick = () => this.begin({ guide: true });
    find("more").open = Boolean(this.choice.timer || (this.choice.lighter && this.edition.lighter)); // nothing of it is forgotten
    find("more").querySelector("summary").addEventListener("click", () => setTimeout(showMore)); // it opens after the click
    this.showRaces();
    find("choice").addEventListener("change", (event) => this.changed(event));
    find("courses").addEventListener("click", (event) => this.picked(event));
    find("choice").addEventListener("submit", (event) => this.submit(event));
    this.draw();
  }

  /** What was chosen last time, where it still can be; else what suits a first race. */
  choose() {
    const { choices } = this;
    const before = kept.get(KEPT) || {};
    const has = (list, value) => list.includes(value);
    const of = has(choices.editions.map(({ name }) => name), before.edition) ? before : {};
    this.choice = {
      edition: of.edition || choices.edition,
      course: of.course || "",
      players: of.players || 4,
      people: Array.isArray(of.people) && of.people.length ? of.people : [""],
      level: LEVELS[of.level] ? of.level : "easy",
      agents: Array.isArray(of.agents) ? of.agents : [],
      timer: of.timer || 0,
      bots: of.bots ?? choices.timer.bots,
      lighter: Boolean(of.lighter),
      seed: "",
      band: of.band || 2,
      courseSeed: Math.floor(Math.random() * SEEDS),
      difficulty: "",
      fits: 0,
    };
  }

  // -- the race at the table, and those that were stopped

  showRaces() {
    const { race, unfinished } = this.choices;
    if (race) {
      const words = race.goes_on ? `A race on ${race.title} is in progress${race.round ? `, round ${race.round}` : ""}.`
        : `The race on ${race.title} is over.`;
      const back = el("a", { class: "quiet", href: race.seat, text: race.goes_on ? "Back to the race" : "See the result" });
      find("running").replaceChildren(el("span", { text: words }), back);
      find("running").hidden = false;
      if (race.goes_on) {
        find("begin").textContent = "End that race and start this one";
        this.told = race.id; // what that button ends, it says
      }
    }
    if (!unfinished.length) return;
    const rows = unfinished.map(({ file, about, when }) => el("li", {}, el("span", { title: file, text: `${about}, ${when}` }),
      el("button", { type: "button", class: "quiet", text: "Continue", "aria-label": `Continue ${about}`,
        onclick: () => this.begin({ resume: file }) })));
    find("unfinished").replaceChildren(el("span", { text: "Unfinished races:" }), el("ul", {}, ...rows));
    find("unfinished").hidden = false;
  }

  // -- what is chosen

  get edition() {
    return this.choices.editions.find(({ name }) => name === this.choice.edition);
  }

  /** The course that is chosen; null: a generated one. */
  get course() {
    return this.edition.courses.find(({ name }) => name === this.choice.course) || null;
  }

  get counts() {
    if (this.course) return this.course.counts;
    const [few, many] = this.edition.players;
    return Array.from({ length: many - few + 1 }, (_, i) => few + i);
  }

  /** Let the parts of the choice fit each other. */
  settle() {
    const { choice, edition } = this;
    const isKnown = choice.course === SURPRISE ? edition.generates : Boolean(this.course);
    if (!isKnown) choice.course = edition.course;
    const far = (count) => Math.abs(count - choice.players);
    choice.players = [...this.counts].sort((a, b) => far(a) - far(b) || a - b)[0];
    choice.people = choice.people.slice(0, Math.min(choice.players, this.choices.people.most));
    if (!edition.timer) choice.timer = 0;
    if (choice.timer && this.course?.timed) [choice.timer] = SECONDS; // its rules set the time
    const many = choice.players - choice.people.length;
    choice.agents = Array.from({ length: many }, (_, i) => {
      const known = this.choices.agents.includes(choice.agents[i]);
      return known ? choice.agents[i] : edition.levels.easy;
    });
  }

  changed(event) {
    const { id, name, value, dataset } = event.target;
    const { choice } = this;
    if (name === "edition") [choice.edition, choice.course, choice.difficulty] = [value, "", ""];
    else if (name === "course") choice.course = value;
    else if (name === "level") choice.level = value;
    else if (name === "agent") choice.agents[Number(dataset.seat)] = value;
    else if (name === "person") choice.people[Number(dataset.seat)] = value;
    else if (id === "humans") choice.people = Array.from({ length: Number(value) }, (_, i) => choice.people[i] || "");
    else if (id === "lighter") choice.lighter = event.target.checked;
    else if (["players", "timer", "bots", "fits"].includes(id)) choice[id] = Number(value);
    else if (id === "difficulty" || id === "seed") choice[id] = value.trim();
    else if (id === "band") choice.band = Number(value);
    else if (id === "course-seed") choice.courseSeed = value.trim();
    find("wrong").textContent = "";
    this.draw();
  }

  /** On small screens a course that was tapped is shown with the button that starts the race. */
  picked(event) {
    if (event.detail && !matchMedia("(min-width: 1000px)").matches) find("choice").scrollIntoView({ block: "start" });
  }

  // -- drawing

  draw() {
    this.settle();
    const { choice, edition } = this;
    pills("editions", "edition", this.choices.editions.map(({ name }) => [name, name]), choice.edition);
    find("edition-plan").textContent = edition.plan;
    options("players", this.counts.map((count) => [count, String(count)]), choice.players);
    const most = Math.min(choice.players, this.choices.people.most);
    options("humans", range(1, most).map((count) => [count, count === 1 ? "1: you" : String(count)]), choice.people.length);
    fill("names", choice.people.length, () => choice.people.map((name, i) => this.person(name, i)));
    const bots = choice.players - choice.people.length;
    pills("levels", "level", Object.entries(LEVELS), choice.level);
    find("levels").parentElement.hidden = bots === 0;
    this.drawAgents();
    const seconds = this.course && this.course.timed ? [[0, "off"], [30, "set by the course"]]
      : [[0, "off"], ...SECONDS.map((many) => [many, `${many} seconds, when ${this.starts()}`])];
    options("timer", seconds, choice.timer);
    find("timer").parentElement.hidden = !edition.timer;
    options("bots", Object.entries(BOT_TIMES), String(choice.bots));
    find("bots").parentElement.hidden = !choice.timer || bots === 0;
    find("lighter-row").hidden = !edition.lighter;
    find("lighter-words").textContent = `Lighter game, ${edition.lighter}`;
    find("lighter").checked = choice.lighter;
    this.drawCourses();
    this.drawChosen();
  }

  /** When the timer starts, in the words of the edition's rules. */
  starts() {
    return this.edition.name === "2005" ? "only one player is still programming" : "the first player has finished";
  }

  person(name, i) {
    const field = el("input", { name: "person", "data-seat": i, value: name,
      maxlength: this.choices.people.name, placeholder: `player ${i + 1}`, "aria-label": i ? `Name of player ${i + 1}` : "Your name" });
    return el("label", {}, el("span", { text: i ? `Player ${i + 1}` : "You" }), field);
  }

  drawAgents() {
    const { choice, edition } = this;
    const isNamed = choice.level === "named";
    const agent = isNamed ? null : edition.levels[choice.level];
    find("level-agents").textContent = agent ? `${PLAYS[agent] ?? ""} (${agent})`.trim() : "";
    const named = isNamed ? choice.agents : [];
    fill("agents", named.length, () => named.map((agent, i) => {
      const list = this.choices.agents.map((name) => el("option", { value: name, text: name, selected: name === agent }));
      return el("label", {}, el("span", { text: `Bot ${i + 1}` }),
        el("select", { name: "agent", "data-seat": i }, ...list));
    }));
  }

  pictureOf(query) {
    return `${HERE}/course.svg?${new URLSearchParams({ edition: this.choice.edition, theme: this.theme, ...query })}`;
  }

  drawCourses() {
    const { choice, edition } = this;
    const rank = (word) => DIFFICULTIES.indexOf(word) >>> 0; // others last
    const known = [...new Set(edition.courses.map(({ difficulty }) => difficulty))].sort((a, b) => rank(a) - rank(b));
    options("difficulty", [["", "any"], ...known.map((word) => [word, `${"●".repeat(DOTS[word] ?? 0)} ${word}`.trim()])], choice.difficulty);
    const counts = range(...edition.players);
    options("fits", [[0, "any number of players"], ...counts.map((count) => [count, `${count} players`])], choice.fits);
    const fits = ({ difficulty, counts: may }) => (!choice.difficulty || difficulty === choice.difficulty)
      && (!choice.fits || may.includes(choice.fits));
    const courses = edition.courses.filter(fits).sort((a, b) => known.indexOf(a.difficulty) - known.indexOf(b.difficulty));
    const first = courses.findIndex(({ name }) => name === edition.course);
    if (first > 0) courses.unshift(...courses.splice(first, 1));
    const key = JSON.stringify([choice.edition, this.theme, courses.map(({ name }) => name)]);
    if (key !== this.drawn) { // pictures are loaded once
      this.drawn = key;
      const cards = courses.map((course) => this.card(course));
      find("courses").replaceChildren(...(edition.generates ? [this.surprise()] : []), ...cards);
    }
    find("none").hidden = courses.length > 0;
    for (const radio of find("courses").querySelectorAll("input[type=radio]")) radio.checked = radio.value === choice.course;
  }

  card(course) {
    const picture = el("img", { src: this.pictureOf({ course: course.name }), alt: "", loading: "lazy", decoding: "async" });
    const radio = el("input", { type: "radio", name: "course", value: course.name });
    return el("label", { class: "card" }, radio, picture, el("span", { class: "card-title", text: course.title }), ...this.factsOf(course));
  }

  /** How difficult and how long a course is, and for how many. */
  factsOf({ checkpoints, difficulty, length, rounds, counts }) {
    const { checkpoint } = this.edition;
    const many = `${checkpoints || "no"} ${checkpoint}${checkpoints === 1 ? "" : "s"}`;
    const long = rounds ? `about ${Math.max(1, Math.round(rounds))} rounds` : length;
    return [el("span", { class: "when" }, ...dots(difficulty)),
      el("span", { class: "when" }, ...[many, long, `${spanOf(counts)} players`].filter(Boolean).flatMap((text, i) => [
        i ? " · " : "", el("span", { class: "whole", text })]))];
  }

  /** A generated course. */
  surprise() {
    const radio = el("input", { type: "radio", name: "course", value: SURPRISE });
    return el("label", { class: "card surprise" }, radio, el("span", { class: "dice", text: "?", "aria-hidden": "true" }),
      el("span", { class: "card-title", text: "Surprise me" }),
      el("span", { class: "when", text: "A brand-new course of the difficulty you choose" }));
  }

  drawChosen() {
    const { choice, course } = this;
    const picture = find("picture");
    const query = course ? { course: course.name }
      : { difficulty: choice.band, seed: choice.courseSeed, players: choice.players };
    const source = this.pictureOf(query);
    if (picture.getAttribute("src") !== source) {
      this.drawing?.stop();
      const drawing = this.follow(); // a generated course may wait for its code
      this.drawing = drawing;
      picture.src = source;
      picture.onload = () => drawing.stop();
      picture.onerror = () => {
        drawing.stop();
        this.wrong(source);
      };
    }
    picture.hidden = false;
    picture.alt = course ? `The course ${course.title}` : "The generated course";
    const facts = course ? [el("strong", { text: course.title }), ...this.factsOf(course),
      ...course.rules.map((rule) => el("span", { class: "rule", text: rule }))] : this.surpriseFields();
    const before = JSON.stringify([course && course.name, choice.edition, course ? 0 : [choice.band, choice.courseSeed]]);
    if (before === this.facts) return;
    this.facts = before;
    find("facts").replaceChildren(...facts);
  }

  /** The difficulty of a generated course, and a seed that gives the same one again. */
  surpriseFields() {
    const { choice } = this;
    const bands = BANDS.map((band) => el("option", { value: band, text: `${band} of 5`, selected: band === choice.band }));
    const seed = el("input", { id: "course-seed", inputmode: "numeric", value: choice.courseSeed });
    const other = el("button", { type: "button", id: "reroll", class: "quiet", text: "New course", onclick: () => {
      choice.courseSeed = Math.floor(Math.random() * SEEDS);
      this.draw();
    } });
    return [el("strong", { text: "A generated course" }),
      el("span", { class: "surprise-fields" }, el("label", {}, el("span", { text: "Difficulty" }), el("select", { id: "band" }, ...bands)),
        el("label", {}, el("span", { text: "Seed" }), seed), other)];
  }

  /** Why a picture could not be made. */
  async wrong(source) {
    const answer = await fetch(source).catch(() => null);
    const found = answer && !answer.ok ? await answer.json().catch(() => null) : null;
    if (found) find("wrong").textContent = found.error;
  }

  // -- beginning

  submit(event) {
    event.preventDefault();
    const { choice } = this;
    for (const field of document.querySelectorAll("[name=person]")) choice.people[Number(field.dataset.seat)] = field.value;
    choice.seed = find("seed").value.trim();
    if (choice.seed && !WHOLE.test(choice.seed)) {
      find("wrong").textContent = `The random seed is a whole number of up to 15 digits, not "${choice.seed}".`;
      return;
    }
    if (!this.course && !WHOLE.test(choice.courseSeed)) {
      find("wrong").textContent = `The seed of the course is a whole number, not "${choice.courseSeed}".`;
      return;
    }
    kept.set(KEPT, { ...choice, seed: "" });
    const course = this.course ? { course: choice.course }
      : { generated: { difficulty: choice.band, seed: Number(choice.courseSeed) } };
    this.begin({
      edition: choice.edition,
      ...course,
      players: choice.players,
      people: choice.people,
      ...(choice.level === "named" ? { opponents: choice.agents } : { level: choice.level }),
      ...(choice.lighter ? { lighter: true } : {}),
      ...(choice.timer ? { timer: choice.timer, bot_time: choice.bots } : {}),
      ...(choice.seed ? { seed: Number(choice.seed) } : {}),
    }, this.told);
  }

  /** `ends`: the race in progress that the button says it ends. Without it, a second press ends it. */
  async begin(data, ends = this.asked === JSON.stringify(data) ? this.choices.race.id : "") {
    const button = find("begin");
    const words = button.textContent;
    button.disabled = true;
    button.textContent = "Setting up the race …";
    find("wrong").textContent = "";
    const followed = this.follow();
    this.asked = "";
    const answer = await fetch(`${HERE}/race${ends ? `?ends=${ends}` : ""}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(data),
    }).catch(() => null);
    const found = answer ? await answer.json().catch(() => null) : null;
    followed.stop();
    button.disabled = false;
    button.textContent = words;
    if (!answer || !found) find("wrong").textContent = "The server does not answer: roborally play has ended, or the network is down.";
    else if (found.race) {
      this.choices.race = found.race;
      this.showRaces();
      this.asked = JSON.stringify(data);
      find("wrong").textContent = found.error;
    } else if (!answer.ok) find("wrong").textContent = found.error;
    else if (found.seats.length === 1) location.assign(found.seat);
    else this.showLinks(found);
    if (find("wrong").textContent) find("wrong").scrollIntoView({ block: "nearest" });
  }

  /** Show what is compiled, until `stop` is called. */
  follow() {
    return follow(`${HERE}/compiling.json`, this.countdown);
  }

  /** The links for the other people. */
  showLinks({ seat, seats, watch }) {
    const fields = seats.slice(1).map(({ name, link }) => linkField(name, linkTo(new URL(link).pathname, new URL(link).origin)));
    find("links").replaceChildren(
      el("h2", { id: "links-title", text: "Give each player their own link" }),
      ...fields,
      linkField("To watch", linkTo(new URL(watch).pathname, new URL(watch).origin)),
      el("a", { class: "primary", href: seat, text: "Take your seat" }),
    );
    for (const id of ["choice", "running", "unfinished", "guide"]) find(id).hidden = true;
    find("links").hidden = false;
    find("links").focus();
  }
}

function range(first, last) {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
}

/** "2–6", or "4, 6, 8" */
function spanOf(counts) {
  const last = counts[counts.length - 1];
  return counts.length > 1 && last - counts[0] === counts.length - 1 ? `${counts[0]}–${last}` : counts.join(", ");
}

/** A difficulty as dots of five, with its word; a word that is no difficulty stays one. */
function dots(word) {
  const many = DOTS[word];
  if (!many) return [word];
  return [el("span", { class: "dots", "aria-hidden": "true", text: "●".repeat(many) + "○".repeat(5 - many) }),
    el("span", { class: "unseen", text: `difficulty ${many} of 5: ` }), ` ${word}`];
}

/** Replace the children of an element if they differ: a field keeps its focus. */
function fill(id, what, make) {
  const place = find(id);
  const key = JSON.stringify(what);
  if (place.dataset.of === key) return;
  place.dataset.of = key;
  place.replaceChildren(...make());
}

function options(id, list, value) {
  fill(id, list, () => list.map(([each, text]) => el("option", { value: each, text })));
  find(id).value = String(value);
}

/** A choice of one as a row of buttons. */
function pills(id, name, list, value) {
  fill(id, list, () => list.map(([each, text]) => el("label", { class: "pill" },
    el("input", { type: "radio", name, value: each }), el("span", { text }))));
  for (const radio of find(id).querySelectorAll("input")) radio.checked = radio.value === value;
}

new StartPage();
