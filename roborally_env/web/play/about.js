// What everything means, in words: on hover, on keyboard focus and on tap. Spaces of the board and the items of the
// robots' panels are one stop of the tab key each; arrow keys lead from one to the next.

import { cardTitle } from "../shared/cards.js";
import { el } from "../shared/elements.js";
import { nameOf } from "../shared/names.js";
import { mentioned, ruleOf } from "./words.js";

const SOON = 180; // ms before the words for the space under the pointer, or for what was tapped, come
const LATER = 500; // ms for other things under the pointer
const BUSY = 2000; // ms for those that come under it by a click: a player who places cards is not disturbed
const TAPPED = 5000; // ms for which the words for what was tapped stay
const STEPS = { ArrowUp: [0, -1], ArrowRight: [1, 0], ArrowDown: [0, 1], ArrowLeft: [-1, 0] };
const GAP = 10; // pixels between a thing and its words
const WAYS = ["north", "east", "south", "west"];

export class About {
  /** `page` has header, state, board, mark(cell, kind) and announce(text); `meanings` is by the board's name. */
  constructor(page, meanings) {
    Object.assign(this, { page, meanings, cell: null, item: -1, clicked: -BUSY });
    this.box = el("div", { class: "about", role: "tooltip", hidden: true });
    document.body.append(this.box);
    this.stage = document.getElementById("board");
    this.panels = document.getElementById("panels");
    for (const [part, label] of [[this.stage, "The course. Use the arrow keys to hear what is on each space."],
      [this.panels, "The robots. Use the arrow keys to hear what each item means."]]) {
      part.tabIndex = 0;
      part.setAttribute("role", "group");
      part.setAttribute("aria-label", label);
    }
    document.addEventListener("pointerover", (event) => this.over(event));
    document.addEventListener("pointerdown", (event) => this.pressed(event));
    document.addEventListener("focusin", (event) => this.focused(event));
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.hide());
    this.stage.addEventListener("pointermove", (event) => event.pointerType === "mouse" && this.overBoard(event));
    this.stage.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && this.hide()); // fingers are lifted
    this.stage.addEventListener("keydown", (event) => this.walkBoard(event));
    this.panels.addEventListener("keydown", (event) => this.walkPanels(event));
    for (const part of [this.stage, this.panels]) part.addEventListener("blur", () => part.contains(this.owner) && this.hide());
    addEventListener("scroll", ({ target }) => this.owner && target.contains(this.owner) && this.hide(), { capture: true, passive: true });
  }

  // -- by pointer

  over(event) {
    if (event.pointerType !== "mouse" || this.stage.contains(event.target)) return;
    const thing = thingOf(event.target);
    const isBusy = event.timeStamp - this.clicked < BUSY;
    if (thing) this.soon(() => this.showThing(thing), isBusy ? BUSY : LATER);
    else this.hide();
  }

  overBoard(event) {
    const cell = this.cellAt(event);
    if (String(cell) === String(this.hovered)) return;
    this.hide();
    this.hovered = cell;
    if (cell) this.soon(() => this.showCell(cell));
  }

  /** A tap shows the words too, beside what it does. */
  pressed(event) {
    this.hide();
    this.clicked = event.timeStamp;
    if (event.pointerType === "mouse") return;
    const cell = this.stage.contains(event.target) ? this.cellAt(event) : null;
    const thing = thingOf(event.target);
    if (cell) this.soon(() => this.showCell(cell));
    else if (thing) { // what is tapped may be made anew by the tap
      const [words, box] = [wordsOf(thing, this.page.header), thing.getBoundingClientRect()];
      this.soon(() => this.show(words, box, thing));
    }
    this.timeToGo = setTimeout(() => this.hide(), TAPPED);
  }

  soon(show, after = SOON) {
    clearTimeout(this.timer);
    this.timer = setTimeout(show, after);
  }

  cellAt({ clientX, clientY }) {
    const matrix = this.page.board.layers.static.getScreenCTM();
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return this.onCourse([Math.floor(x / 100), Math.floor(y / 100)]);
  }

  onCourse([x, y]) {
    const { width, height } = this.page.header;
    return x >= 0 && y >= 0 && x < width && y < height ? [x, y] : null;
  }

  // -- by keyboard

  focused({ target }) {
    const isSeen = target.matches(":focus-visible") && target !== this.stage && target !== this.panels;
    const thing = isSeen && (thingOf(target) || target.querySelector("[title], [data-about]"));
    if (thing) this.showThing(thing);
    else if (isSeen) this.hide();
  }

  walkBoard(event) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const { state, own } = this.page;
    const from = this.cell ?? state.robots[own.robots[0]].at ?? [0, 0];
    const to = this.cell ? this.onCourse([from[0] + step[0], from[1] + step[1]]) : from;
    if (!to) return;
    this.cell = to;
    this.page.mark(to, "about-cell");
    this.page.announce(this.showCell(to));
  }

  walkPanels(event) {
    const step = { ArrowUp: -1, ArrowLeft: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const parts = new Set([this.page.order, this.panels].flatMap((part) => [...part.querySelectorAll("[title], [data-about]")]));
    const things = [...parts].filter((thing) => thing.checkVisibility());
    if (!things.length) return;
    this.item = Math.min(Math.max(this.item + step, 0), things.length - 1);
    things[this.item].scrollIntoView({ block: "nearest" });
    requestAnimationFrame(() => requestAnimationFrame(() => this.page.announce(this.showThing(things[this.item])))); // scrolled by then
  }

  // -- the words

  /** The words for an element; they are returned as one text. */
  showThing(thing) {
    if (!thing.isConnected) return "";
    return this.show(wordsOf(thing, this.page.header), thing.getBoundingClientRect(), thing);
  }

  /** The words for a space and everything on it. */
  showCell(cell) {
    const matrix = this.page.board.layers.static.getScreenCTM();
    const { x, y } = new DOMPoint(100 * cell[0], 100 * cell[1]).matrixTransform(matrix);
    return this.show(this.onCell(cell), new DOMRect(x, y, 100 * matrix.a, 100 * matrix.d), this.stage, `Space ${cell}`);
  }

  onCell(cell) {
    const { state, header } = this.page;
    const isHere = (at) => at && String(at) === String(cell);
    const meant = this.meanings[state.board] ?? this.meanings[0];
    const robots = state.robots.flatMap((robot, n) => (isHere(robot.at)
      ? [[capital(nameOf(n, header)), `It faces ${WAYS[robot.facing]}.`]] : []));
    const flags = state.checkpoints.flatMap((at, i) => (isHere(at) ? [meant.checkpoints[i]] : []));
    const cubes = (state.cubes ?? []).some(isHere) ? [meant.cube] : [];
    const archives = state.robots.flatMap((robot, n) => (isHere(robot.archive)
      ? [[`${meant.archive[0]} of ${nameOf(n, header)}`, meant.archive[1]]] : []));
    const tiles = (meant.cells[String(cell)] ?? []).map((number) => meant.texts[number]);
    const found = [...robots, ...flags, ...cubes, ...tiles, ...archives];
    if (!found.length) return [["Plain floor", ""]];
    return [...found, ...mentioned(found.map(([, rule]) => rule).join(" "), header)];
  }

  show(words, { left, top, right, bottom }, owner, head = "") {
    clearTimeout(this.timer);
    const parts = words.map(([title, rule]) => el("p", {}, title ? el("b", { text: title }) : null,
      title && rule ? " " : null, rule ? el("span", { text: rule }) : null));
    this.box.replaceChildren(...(head ? [el("p", { class: "when", text: head })] : []), ...parts);
    this.box.hidden = false;
    const { width, height } = this.box.getBoundingClientRect();
    const isAbove = top - height - GAP >= 0;
    const x = Math.min(Math.max(4, (left + right - width) / 2), innerWidth - width - 4);
    const y = isAbove ? top - height - GAP : Math.min(bottom + GAP, innerHeight - height - 4);
    this.box.style.translate = `${Math.round(x)}px ${Math.round(Math.max(4, y))}px`;
    document.querySelector(".is-about")?.classList.remove("is-about");
    if (owner !== this.stage) owner.classList.add("is-about");
    this.owner = owner;
    return [head, ...words.map(([title, rule]) => `${title}. ${rule}`)].filter(Boolean).join(" ");
  }

  /** What the words are about may be gone: then they go too. */
  look() {
    if (this.owner && !this.owner.isConnected) this.hide();
  }

  hide() {
    clearTimeout(this.timer);
    clearTimeout(this.timeToGo);
    this.hovered = this.owner = null;
    this.box.hidden = true;
    document.querySelector(".is-about")?.classList.remove("is-about");
    this.page.mark(null, "about-cell");
  }
}

/** The element with words at or around a node. */
function thingOf(node) {
  const thing = node.closest && node.closest("[title], [data-about]");
  return thing && !thing.closest("select, dialog") ? thing : null;
}

/** Pairs of what it is and what that means: first of the thing itself, then of the cards that its words speak of. */
function wordsOf(thing, header) {
  const around = thing.parentElement && thing.parentElement.closest("li[title], li[data-about]"); // a register that is locked
  const [text, more] = [aboutOf(thing), around ? ` ${aboutOf(around)}` : ""];
  const card = thing.dataset.card ?? thing.querySelector(":scope > .rr-card")?.dataset.card;
  if (card) {
    const rule = `${ruleOf(card, header)}${numberOf(card)}`;
    return [[cardTitle(card, header), `${rule}${more}`], ...mentioned(rule, header, card)];
  }
  const name = thing.matches("button, li, .rr-name, .rr-dots") ? "" : thing.innerText.trim().replace(/\s+/g, " ");
  return [[name && name !== text ? name : "", capital(text)], ...mentioned(text, header)];
}

/** The words that an element keeps. Its tooltip becomes ours. */
function aboutOf(thing) {
  if (thing.title) {
    thing.dataset.about = thing.title;
    thing.removeAttribute("title");
  }
  return thing.dataset.about;
}

function numberOf(card) {
  const [, number] = card.split(":");
  return number ? ` Number ${number}: in each register the highest number moves first.` : "";
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
