// What lies on the desk while nothing is asked: the own program as it is played, whom the race waits for, the result.

import { el, robotName } from "./dom.js";

const PLACES = ["1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th"];

export class Wait {
  constructor(container) {
    this.container = container;
  }

  /** While the race is shown: the own registers, the current one lit, and a way to skip. */
  playing(page) {
    const { state } = page;
    if (!page.isBehind || !state) return;
    // the button stays the same one: a press takes longer than a moment
    if (!this.skip || !this.skip.isConnected) {
      this.skip = el("button", { type: "button", class: "skip", text: "Skip to now", onclick: () => page.catchUp() });
      this.lying = el("div");
      this.put("", [this.skip], [this.lying]);
    }
    const robot = state.turn ?? null;
    const words = robot === null ? "The race goes on …" : `It is the turn of ${page.robotName(robot)}.`;
    this.container.querySelector(".asked").textContent = words;
    this.lying.replaceChildren(...this.registers(page));
  }

  /** The registers of the own robots, as they lie. */
  registers(page, robots = page.own.robots) {
    const { state, header, now } = page;
    return robots.map((robot) => {
      const lie = state.robots[robot].registers;
      const confirmed = now.answered && now.answered.includes(robot) && page.draft(now.number, robot);
      const cards = lie.map((there, k) => {
        const card = there ?? (confirmed ? confirmed.cards[k] : null);
        const lit = state.register === k + 1 ? " is-lit" : "";
        const number = el("span", { class: "register-number", text: String(k + 1) });
        return el("li", { class: `slot is-shown${lit}` }, number, Robo.card(card, header));
      });
      return el("ol", { class: "registers", "aria-label": `Registers of robot ${robot}` }, ...cards);
    });
  }

  /** Whom the race waits for. */
  waiting(page) {
    const words = this.words(page);
    const registers = page.state ? this.registers(page) : [];
    const spinner = ["failed", "stopped"].includes(page.now.phase) ? null : el("span", { class: "spinner" });
    this.put(words, [spinner], registers);
  }

  words(page) {
    const { now, own, header } = page;
    if (now.text) return now.text;
    if (!header) return "The race is being set up …";
    if (now.thinking !== null) return `${capital(robotName(now.thinking, header))} thinks …`;
    const others = (now.waiting || []).filter((robot) => !own.robots.includes(robot));
    if (others.length) return `Waiting for ${others.map((robot) => robotName(robot, header)).join(" and ")} …`;
    return "The race goes on …";
  }

  /** A further line, where waiting takes long. */
  hint(text) {
    const head = this.container.querySelector(".desk-head");
    if (head) head.after(el("p", { class: "when", text }));
  }

  /** Who came where, and the replay. */
  over(page) {
    const { header, own, now } = page;
    const { result } = now;
    const won = result.winners.some((robot) => own.robots.includes(robot));
    const names = result.winners.map((robot) => page.robotName(robot)).join(" and ");
    const ending = result.winners.length > 1 ? "win" : "wins";
    const title = won ? "You win!" : names ? `${capital(names)} ${ending}.` : "Nobody wins.";
    const rows = header.robots.map((robot, i) => ({ robot, place: result.places[i] }))
      .sort((a, b) => a.place - b.place)
      .map(({ robot, place }) => el("li", { class: own.robots.includes(robot.number) ? "is-own" : "" },
        el("span", { class: "place", text: rankOf(place, result.places) }),
        el("span", { class: "dot", style: `background:${robot.color}` }),
        el("span", { text: `robot ${robot.number} (${robot.agent})` })));
    const link = now.saved
      ? el("a", { class: "primary", href: `${location.pathname.replace(/\/$/, "")}/replay.json`, download: now.saved,
        text: "Download the replay" })
      : null;
    const rounds = `${result.rounds} round${result.rounds === 1 ? "" : "s"}`;
    const detail = el("p", { class: "when", text: now.saved
      ? `${rounds}. The replay is saved as ${now.saved}; roborally watch shows it again.` : `${rounds}.` });
    this.put(title, [link], [detail, el("ol", { class: "places" }, ...rows)]);
    this.container.classList.add("is-over");
  }

  put(words, tools, rest) {
    const head = el("div", { class: "desk-head" }, el("p", { class: "asked", text: words }),
      el("div", { class: "desk-tools" }, ...tools));
    this.container.replaceChildren(head, ...rest);
  }
}

/** "1st", or "=2nd" where several are level. */
function rankOf(place, places) {
  const better = places.filter((other) => other < place).length;
  const level = places.filter((other) => other === place).length;
  return (level > 1 ? "=" : "") + PLACES[better];
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
