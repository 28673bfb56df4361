// A question with a few answers: buttons, each with what it means.

import { cardNode } from "../shared/cards.js";
import { el } from "../shared/elements.js";
import { sentenceNode } from "../shared/names.js";
import { mentioned } from "./words.js";

const LASTS = {
  permanent: ["permanent", "Your robot keeps it until the end of the race."],
  temporary: ["one use", "You can use it once; then it is gone."],
};

/**
 * The desk of a choice; `below` is shown under it. `led` are sentences: what led to the question. `on` has:
 * confirm(option, rest), point(cell or null, facing), hint().
 */
export class ChoiceDesk {
  constructor(container, question, header, led, below, on) {
    Object.assign(this, { question, header, on, isSent: false, hint: null });
    const when = question.register ? `Round ${question.round}, register ${question.register}` : `Round ${question.round}`;
    this.list = el("ul", { class: "answers", "aria-label": "Your answers" });
    const texts = el("div", { class: "asked-words" }, el("p", { class: "when", text: when }), el("p", { class: "asked", text: question.text }), ledTo(led, header));
    const tools = question.may_hint ? [el("div", { class: "desk-tools" }, this.hintButton())] : [];
    this.why = el("p", { class: "why", "aria-live": "polite", hidden: true });
    this.apart = el("p", { class: "rest-row" });
    container.replaceChildren(el("div", { class: "desk-head" }, texts, ...tools), this.why, this.list, this.apart, ...below);
    this.draw();
  }

  hintButton() {
    this.ask = el("button", { type: "button", class: "quiet small", title: "Which answer raises your chance of winning the most? (H)",
      "aria-keyshortcuts": "h", text: "Hint", onclick: () => this.askHint() });
    return this.ask;
  }

  askHint() {
    if (this.isSent || this.hint || this.ask.disabled) return;
    this.ask.disabled = this.on.hint();
    if (this.ask.disabled) this.ask.textContent = "Searching …";
  }

  /** Show the reason for the wait, in an element that changes. */
  showWait(node) {
    this.why.hidden = false;
    this.why.replaceChildren(node);
  }

  /** A hint has come; null where there is none. */
  showHint(hint) {
    this.hint = hint;
    this.ask.textContent = "Hint";
    this.ask.disabled = Boolean(hint);
    this.why.hidden = !hint;
    this.why.textContent = hint ? hint.why : "";
    this.draw();
  }

  draw() {
    const { answers } = this.question;
    const long = answers.some((answer) => answer.hint);
    this.list.classList.toggle("is-long", long);
    this.list.replaceChildren(...answers.map((answer, i) => this.answer(answer, i)));
    this.apart.replaceChildren(...this.rest());
    this.apart.hidden = !this.question.may_rest;
  }

  /** A way out of a question that comes again and again: "no" for the rest of the round. */
  rest() {
    if (!this.question.may_rest) return [];
    const properties = { type: "button", class: "rest", disabled: this.isSent, onclick: () => this.send(0, true) };
    return [el("button", { ...properties, text: "No, and do not ask again this round" })];
  }

  answer(answer, i) {
    const facing = this.question.cell ? answer.name : null;
    // what was answered is not pointed at any more, also where the pointer still lies
    const point = (isOn) => this.on.point(isOn && !this.isSent ? answer.cell || this.question.cell || null : null, facing);
    const cost = answer.cost === undefined ? null
      : el("span", { class: "cost", text: `${answer.cost} energy`, title: "Cost in energy cubes" });
    const [lasts, meant] = LASTS[answer.lasts] ?? [];
    const duration = lasts ? el("span", { class: "lasts", text: lasts, title: meant }) : null;
    const title = el("span", { class: "answer-title" }, el("span", { text: answer.title }), cost);
    const spokenOf = mentioned(answer.hint || "", this.header).map((words) => words.join(": ")).join(" ");
    const face = answer.card ? cardNode(answer.name, this.header) : null;
    const button = el(
      "button",
      {
        type: "button",
        class: this.hint && this.hint.option === answer.option ? "answer is-hinted" : "answer",
        "data-option": answer.option,
        title: spokenOf || null,
        disabled: this.isSent,
        onclick: () => this.send(answer.option),
        onmouseenter: () => point(true),
        onfocus: () => point(true),
        onmouseleave: () => point(false),
        onblur: () => point(false),
      },
      face,
      el("span", { class: "answer-words" }, face ? null : title,
        answer.hint ? el("span", { class: "hint" }, duration, duration ? " " : null, answer.hint) : null,
        answer.then ? el("span", { class: "hint", text: `Then ${answer.then}.` }) : null),
      i < 10 ? el("kbd", { class: "digit", text: String((i + 1) % 10), title: "Press this key to go to this answer", "aria-hidden": "true" }) : null,
    );
    if (face) button.setAttribute("aria-label", answer.title);
    return el("li", {}, button);
  }

  send(option, rest = false) {
    if (this.isSent) return;
    this.on.point(null);
    this.isSent = this.on.confirm(option, rest);
    this.draw();
  }

  refused() {
    this.isSent = false;
    this.draw();
  }

  /** A digit goes to that answer; Enter, as everywhere, presses the button that has the focus. */
  key(event) {
    if ((event.key === "h" || event.key === "H") && this.ask) {
      this.askHint();
      return true;
    }
    if (!/^[0-9]$/.test(event.key)) return false;
    const button = this.list.querySelectorAll("button")[(Number(event.key) + 9) % 10];
    if (button) button.focus();
    return true;
  }
}

/** What has just happened to the robot that is asked, in a line. */
function ledTo(led, header) {
  if (!led.length) return null;
  const sentences = led.map((text) => el("span", {}, sentenceNode(text, header), " "));
  return el("p", { class: "when led" }, ...sentences);
}
