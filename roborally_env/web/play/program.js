// The desk for a program: which card is in which register, and what may go where.

import { cardNode } from "../shared/cards.js";
import { el } from "../shared/elements.js";
import { registerNumber, ruleOf, titleOf } from "./words.js";
import { drag } from "./drag.js";
import { hintWords } from "./hint.js";

/** A program in the making; nothing in here touches the page. */
export class Draft {
  constructor(question, kept) {
    this.question = question;
    this.slots = question.registers.map(() => null);
    this.order = []; // registers in the order in which they were filled, for taking back
    this.wanted = null; // the register that was picked for the next card
    this.past = []; // the cards before each change, the latest last
    this.future = []; // what was undone
    (kept || []).forEach((slot, k) => this.isLegal(slot, k) && this.place(slot, k));
  }

  takesCard(k) {
    return this.question.registers[k].slots.length > 0;
  }

  isLegal(slot, k) {
    return slot !== null && this.takesCard(k) && this.question.registers[k].slots.includes(slot);
  }

  isPlaced(slot) {
    return this.slots.includes(slot);
  }

  /** The register into which the next card goes; null where all are full. */
  get target() {
    if (this.wanted !== null && this.slots[this.wanted] === null) return this.wanted;
    const free = this.slots.findIndex((slot, k) => slot === null && this.takesCard(k));
    return free < 0 ? null : free;
  }

  get isComplete() {
    return this.slots.every((slot, k) => slot !== null || !this.takesCard(k));
  }

  /** How many registers still want a card. */
  get missing() {
    return this.slots.filter((slot, k) => slot === null && this.takesCard(k)).length;
  }

  /** Place a card; the card that was there goes back, or to where the new one came from if it may. */
  place(slot, k) {
    const from = this.slots.indexOf(slot);
    const before = this.slots[k];
    if (from >= 0) this.take(from);
    if (before !== null) this.take(k);
    this.slots[k] = slot;
    this.order.push(k);
    if (from >= 0 && from !== k && before !== null && this.isLegal(before, from)) {
      this.slots[from] = before;
      this.order.push(from);
    }
    this.wanted = null;
  }

  take(k) {
    this.slots[k] = null;
    this.order = this.order.filter((each) => each !== k);
  }

  takeLast() {
    const last = this.order[this.order.length - 1];
    if (last !== undefined) this.take(last);
    this.wanted = null;
  }

  /** Change something so that it can be undone. */
  edit(change) {
    const before = this.state;
    change();
    if (String(before.slots) === String(this.slots)) return;
    this.past.push(before);
    this.future = [];
  }

  get state() {
    return { slots: [...this.slots], order: [...this.order] };
  }

  /** Take the last change back; false where there is none. */
  undo() {
    return this.step(this.past, this.future);
  }

  /** Make a change again that was undone. */
  redo() {
    return this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return false;
    to.push(this.state);
    Object.assign(this, from.pop(), { wanted: null });
    return true;
  }

  /** Pick the next (1) or the previous (-1) empty register. */
  move(by) {
    const free = this.slots.map((_, k) => k).filter((k) => this.slots[k] === null && this.takesCard(k));
    if (free.length === 0) return;
    const at = free.indexOf(this.target);
    this.wanted = free[(at + by + free.length) % free.length];
  }
}

/**
 * The desk for programming. `on` has: changed(slots, powersDown), confirm(slots, powersDown), say(text),
 * ghost(slots) and ghosts(isOn), whose cards are to be shown on the board, hint(), and showHint(hint or null).
 */
export class ProgramDesk {
  constructor(container, question, header, kept, on, showsGhost = true) {
    this.container = container;
    this.question = question;
    this.header = header;
    this.on = on;
    this.draft = new Draft(question, kept && kept.slots);
    this.isSent = false;
    this.registers = el("ol", { class: "registers", "aria-label": "Your registers" });
    this.hand = el("ol", { class: question.hand.length > 9 ? "hand is-wide" : "hand", "aria-label": "Your hand" });
    this.confirm = el("button", { type: "button", class: "primary confirm", onclick: () => this.send() });
    this.back = el("button", { type: "button", class: "quiet undo", "aria-label": "Undo", title: "Undo (Ctrl+Z)",
      onclick: () => this.undo() }, el("span", { "aria-hidden": "true", text: "↶" }), el("span", { class: "wide", text: "Undo" }));
    this.clear = el("button", { type: "button", class: "quiet", text: "Clear", title: "Take back all cards",
      onclick: () => this.takeAll() });
    const tools = el("div", { class: "desk-tools" }, this.back, this.clear, this.confirm);
    const head = el("div", { class: "desk-head" }, el("p", { class: "asked", text: question.text }), tools);
    const toggle = question.may_power_down ? [this.powerToggle(kept)] : [];
    const programming = el("div", { class: "programming" }, this.registers, this.aids(showsGhost));
    container.replaceChildren(head, programming, ...toggle, this.hand);
    this.draw();
    this.on.ghost(this.draft.slots);
  }

  /** What helps to decide: the ghost, which can be switched off, and a hint. */
  aids(showsGhost) {
    const button = (text, title, onclick) => el("button", { type: "button", class: "quiet small", text, title, onclick });
    this.hintButton = button("Hint", "Show the program that a search would choose (H)", () => this.askHint());
    this.ghosts = button("Ghost", "Show where your cards lead if no robot is in the way (G)", () => this.switchGhost());
    this.ghosts.setAttribute("aria-pressed", String(showsGhost));
    this.useHint = button("Use it", "Use the suggested program", (event) => this.takeHint(event));
    this.closeHint = button("Close", "Close the hint (Esc)", () => this.showHint(null));
    this.way = el("p", { class: "way" });
    this.tools = el("div", { class: "aid-tools" }, this.hintButton, this.ghosts);
    this.words = el("div", { class: "aid-words", "aria-live": "polite" }, this.way);
    return el("section", { class: "aids", "aria-label": "Help" }, this.tools, this.words);
  }

  get showsGhost() {
    return this.ghosts.getAttribute("aria-pressed") === "true";
  }

  switchGhost() {
    this.ghosts.setAttribute("aria-pressed", String(!this.showsGhost));
    this.on.ghosts(this.showsGhost);
    this.on.ghost(this.draft.slots);
    this.drawWay("");
  }

  /** The ghost in words. */
  drawWay(text) {
    const usual = this.draft.order.length ? "" : "Place a card to see where it leads without the other robots.";
    this.way.textContent = this.showsGhost ? text || usual : "";
  }

  /** Show the reason for the wait, in an element that changes. */
  showWait(node) {
    this.way.replaceChildren(node);
  }

  askHint() {
    if (this.isSent || this.hint || this.hintButton.disabled) return;
    this.hintHadFocus = document.activeElement === this.hintButton;
    this.hintButton.disabled = this.on.hint();
    if (this.hintButton.disabled) this.hintButton.textContent = "Searching …";
  }

  /** A hint has come; null where there is none any more. */
  showHint(hint) {
    const hadFocus = this.tools.contains(document.activeElement) || (hint && this.hintHadFocus);
    this.hintButton.disabled = false;
    this.hintButton.textContent = "Hint";
    this.hint = this.isSent ? null : hint;
    this.tools.replaceChildren(...(this.hint ? [this.useHint, this.closeHint] : [this.hintButton, this.ghosts]));
    this.drawWay("");
    this.words.replaceChildren(...(this.hint ? hintWords(hint, this.question, this.header) : [this.way]));
    this.words.classList.toggle("is-hint", Boolean(this.hint));
    if (hadFocus) this.tools.firstElementChild.focus();
    this.on.showHint(this.hint);
    if (!this.hint) this.on.ghost(this.draft.slots);
  }

  takeHint(event) {
    const { slots, power_down: powersDown } = this.hint;
    this.draft.edit(() => slots.forEach((slot, k) => slot !== null && this.draft.place(slot, k)));
    if (this.power) this.power.checked = powersDown;
    this.showHint(null);
    this.changed();
    if (event.detail) document.activeElement.blur(); // by a click: Enter is for confirming
    else this.confirm.focus();
  }

  undo() {
    if (!this.isSent && this.draft.undo()) this.changed();
  }

  redo() {
    if (!this.isSent && this.draft.redo()) this.changed();
  }

  /** A power down is announced with the program. */
  powerToggle(kept) {
    this.power = el("input", { type: "checkbox", checked: Boolean(kept && kept.powersDown), onchange: () => this.changed() });
    const words = "Power down next round: do nothing, repair all damage";
    return el("label", { class: "power-down" }, this.power, el("span", { text: words }));
  }

  get powersDown() {
    return Boolean(this.power && this.power.checked);
  }

  draw() {
    const focused = this.focusPlace();
    this.registers.replaceChildren(...this.question.registers.map((_, k) => this.register(k)));
    this.hand.replaceChildren(...this.question.hand.map((_, slot) => this.card(slot)));
    const complete = this.draft.isComplete;
    this.confirm.textContent = this.isSent ? "Sent …" : "Confirm";
    this.confirm.disabled = !complete || this.isSent;
    this.clear.disabled = this.draft.order.length === 0 || this.isSent;
    this.back.disabled = this.draft.past.length === 0 || this.isSent;
    this.drawWay(this.way.textContent);
    if (this.power) this.power.disabled = this.isSent;
    this.container.classList.toggle("is-complete", complete);
    this.restoreFocus(focused);
  }

  focusPlace() {
    const item = document.activeElement && document.activeElement.closest(".registers li, .hand li");
    return item ? [item.parentElement, [...item.parentElement.children].indexOf(item)] : null;
  }

  restoreFocus(place) {
    const button = place && place[0].children[place[1]] && place[0].children[place[1]].querySelector("button");
    if (button) button.focus({ preventScroll: true });
  }

  register(k) {
    const { card } = this.question.registers[k];
    const slot = this.draft.slots[k];
    const number = registerNumber(k);
    if (!this.draft.takesCard(k)) {
      const name = card ? `register ${k + 1}, locked: ${titleOf(card, this.header)}` : `register ${k + 1}, closed`;
      const lock = el("span", { class: "lock", text: card ? "locked" : "closed" });
      return el("li", { class: "slot is-locked", "aria-label": name }, number, cardNode(card, this.header), lock);
    }
    const name = slot === null ? null : this.question.hand[slot];
    const isTarget = this.draft.target === k;
    const button = el(
      "button",
      {
        type: "button",
        "aria-label": name ? `register ${k + 1}: ${titleOf(name, this.header)}, take back` : `register ${k + 1}, empty`,
        "aria-pressed": name ? null : String(isTarget),
        // arrow keys choose an empty register: one of them is a stop of the tab key at most
        tabindex: name || isTarget ? null : "-1",
        onclick: (event) => this.clicked(event, () => this.pickRegister(k)),
      },
      cardNode(name, this.header),
    );
    if (slot !== null) this.makeDraggable(button, slot);
    const classes = `slot${name ? " is-full" : ""}${isTarget ? " is-target" : ""}`;
    return el("li", { class: classes, "data-register": k }, number, button);
  }

  card(slot) {
    const name = this.question.hand[slot];
    const placed = this.draft.isPlaced(slot);
    const { target } = this.draft;
    const legal = !placed && target !== null && this.draft.isLegal(slot, target);
    const digit = slot < 10 ? String((slot + 1) % 10) : "";
    const button = el(
      "button",
      {
        type: "button",
        "aria-disabled": legal ? null : "true",
        "aria-label": `${titleOf(name, this.header)}${name.includes(":") ? `, priority ${name.split(":")[1]}` : ""}${
          placed ? ", placed" : ""}`,
        title: ruleOf(name, this.header),
        onclick: (event) => this.clicked(event, () => this.pickCard(slot)),
      },
      cardNode(name, this.header),
      el("kbd", { class: "digit", text: digit, "aria-hidden": "true" }),
    );
    if (!placed) this.makeDraggable(button, slot);
    return el("li", { class: `hand-card${placed ? " is-placed" : ""}${legal ? "" : " is-off"}` }, button);
  }

  /** A card that was clicked does not keep the focus: Enter is for confirming. */
  clicked(event, act) {
    if (event.detail) event.currentTarget.blur(); // 0 by keyboard, which goes on where it is
    act();
  }

  makeDraggable(button, slot) {
    drag(button, {
      targets: () => [...this.registers.querySelectorAll("[data-register]")],
      fits: (target) => !this.isSent && this.draft.isLegal(slot, Number(target.dataset.register)),
      drop: (target) => this.place(slot, Number(target.dataset.register)),
    });
  }

  pickRegister(k) {
    if (this.isSent) return;
    if (this.draft.slots[k] !== null) this.draft.edit(() => this.draft.take(k));
    this.draft.wanted = k;
    this.changed();
  }

  pickCard(slot) {
    if (this.isSent || slot >= this.question.hand.length) return;
    const { target } = this.draft;
    if (this.draft.isPlaced(slot)) this.draft.edit(() => this.draft.take(this.draft.slots.indexOf(slot)));
    else if (target === null) this.on.say("All registers are full: confirm, or take back a card.");
    else if (!this.draft.isLegal(slot, target)) {
      this.on.say(`${titleOf(this.question.hand[slot], this.header)} cannot go in register ${target + 1}.`);
    } else this.draft.edit(() => this.draft.place(slot, target));
    this.changed();
  }

  place(slot, k) {
    if (this.isSent) return;
    this.draft.edit(() => this.draft.place(slot, k));
    this.changed();
  }

  takeAll() {
    this.draft.edit(() => { while (this.draft.order.length) this.draft.takeLast(); });
    this.changed();
    if (document.activeElement === document.body) this.registers.querySelector("button")?.focus(); // the button is off now
  }

  changed() {
    this.on.changed(this.draft.slots, this.powersDown);
    this.draw();
    if (!this.hint) this.on.ghost(this.draft.slots);
  }

  send() {
    if (!this.draft.isComplete || this.isSent) return;
    this.isSent = this.on.confirm(this.draft.slots, this.powersDown);
    this.draw();
  }

  /** The message was refused: the program can be changed again. */
  refused() {
    this.isSent = false;
    this.draw();
  }

  /** Ctrl+Z, and Ctrl+Y or Ctrl+Shift+Z; true where a key was one of them. */
  control(event) {
    const key = event.key.toLowerCase();
    if (key === "y" || (key === "z" && event.shiftKey)) this.redo();
    else if (key === "z") this.undo();
    else return false;
    return true;
  }

  /** True where a key was meant for the desk. */
  key(event) {
    if (/^[0-9]$/.test(event.key)) this.pickCard((Number(event.key) + 9) % 10);
    else if (event.key === "Backspace" && !this.isSent) {
      this.draft.edit(() => this.draft.takeLast());
      this.changed();
    } else if ((event.key === "ArrowLeft" || event.key === "ArrowRight") && !this.isSent) {
      this.draft.move(event.key === "ArrowLeft" ? -1 : 1);
      this.draw();
    } else if (event.key === "h" || event.key === "H") this.askHint();
    else if (event.key === "g" || event.key === "G") this.switchGhost();
    else if (event.key === "Escape" && this.hint) this.showHint(null);
    else if (event.key === "Enter") this.enter();
    else return false;
    return true;
  }

  /** Enter confirms a complete program, else places the card that has the focus; it never takes one back. */
  enter() {
    const card = document.activeElement && document.activeElement.closest(".hand-card");
    const slot = card ? [...this.hand.children].indexOf(card) : -1;
    if (this.draft.isComplete) this.send();
    else if (slot >= 0 && !this.draft.isPlaced(slot)) this.pickCard(slot);
    else this.on.say(`Place ${this.draft.missing} more card${this.draft.missing === 1 ? "" : "s"} before you confirm.`);
  }
}
