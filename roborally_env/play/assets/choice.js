// A question with a few answers: buttons, each with what it means.

import { el } from "./dom.js";

/** The desk of a choice; `below` is shown under it. `on` has: confirm(option, rest), point(cell or null, facing). */
export class ChoiceDesk {
  constructor(container, question, header, below, on) {
    this.question = question;
    this.header = header;
    this.on = on;
    this.isSent = false;
    const when = question.register ? `Round ${question.round}, register ${question.register}` : `Round ${question.round}`;
    this.list = el("ul", { class: "answers", "aria-label": "Your answers" });
    const texts = el("div", {}, el("p", { class: "when", text: when }), el("p", { class: "asked", text: question.text }));
    container.replaceChildren(el("div", { class: "desk-head" }, texts), this.list, ...below);
    this.draw();
  }

  draw() {
    const { answers } = this.question;
    const long = answers.some((answer) => answer.hint);
    this.list.classList.toggle("is-long", long);
    this.list.replaceChildren(...answers.map((answer, i) => this.answer(answer, i)), ...this.rest());
  }

  /** A way out of a question that comes again and again: "no" for the rest of the round. */
  rest() {
    if (!this.question.may_rest) return [];
    const properties = { type: "button", class: "quiet rest", disabled: this.isSent, onclick: () => this.send(0, true) };
    return [el("li", {}, el("button", { ...properties, text: "No, and do not ask again this round" }))];
  }

  answer(answer, i) {
    const facing = this.question.cell ? answer.name : null;
    const point = (isOn) => this.on.point(isOn ? answer.cell || this.question.cell || null : null, facing);
    const cost = answer.cost === undefined ? null
      : el("span", { class: "cost", text: `${answer.cost} energy`, title: "Energy cubes that it costs" });
    const title = el("span", { class: "answer-title" }, el("span", { text: answer.title }), cost);
    const face = answer.card ? Robo.card(answer.name, this.header) : null;
    const button = el(
      "button",
      {
        type: "button",
        class: "answer",
        "data-option": answer.option,
        disabled: this.isSent,
        onclick: () => this.send(answer.option),
        onmouseenter: () => point(true),
        onfocus: () => point(true),
        onmouseleave: () => point(false),
        onblur: () => point(false),
      },
      face,
      el("span", { class: "answer-words" }, face ? null : title,
        answer.hint ? el("span", { class: "hint", text: answer.hint }) : null),
      i < 10 ? el("kbd", { class: "digit", text: String((i + 1) % 10), "aria-hidden": "true" }) : null,
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
    if (!/^[0-9]$/.test(event.key)) return false;
    const button = this.list.querySelectorAll("button")[(Number(event.key) + 9) % 10];
    if (button) button.focus();
    return true;
  }
}
