// What lies on the desk while nothing is asked: the own program as it is played, whom the race waits for, the result.

import { cardNode } from "../shared/cards.js";
import { el } from "../shared/elements.js";
import { nameOf, sentenceNode } from "../shared/names.js";
import { registerNumber } from "./words.js";

const LATELY = 7; // sentences beside the registers, where they have room
const LIST = new Intl.ListFormat("en-GB"); // "robot 1, robot 2 and robot 3"
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
      const register = el("button", { type: "button", class: "quiet", text: "Skip this register", title: "Skip the rest of this register (R)",
        "aria-keyshortcuts": "r", onclick: () => page.skipRegister() });
      this.lying = el("div", { class: "lying" });
      this.lately = el("ul", { class: "lately", "aria-hidden": "true" }); // the log reads it out
      this.put("", [register, this.skip], [el("div", { class: "programming" }, this.lying, this.lately)]);
    }
    const robot = state.turn ?? null;
    const words = robot === null ? "The race goes on …" : `${capital(page.robotName(robot))} is moving.`;
    this.container.querySelector(".asked").textContent = words;
    this.lying.replaceChildren(...this.registers(page));
    this.lately.replaceChildren(...page.lately.slice(-LATELY).map((text) => el("li", {}, sentenceNode(text, page.header))));
    while (this.lately.scrollHeight > this.lately.clientHeight && this.lately.children.length > 1) this.lately.firstChild.remove();
  }

  /** The registers of the own robots, as they lie; of two robots with a line that says whose they are. */
  registers(page, robots = page.own.robots) {
    const { state, header, now } = page;
    return robots.flatMap((robot) => {
      const lie = state.robots[robot].registers;
      const confirmed = now.answered && now.answered.includes(robot) && page.draft(now.number, robot);
      const cards = lie.map((there, k) => {
        const card = there ?? (confirmed ? confirmed.cards[k] : null);
        const lit = state.register === k + 1 ? " is-lit" : "";
        return el("li", { class: `slot is-shown${lit}` }, registerNumber(k), cardNode(card, header));
      });
      const whose = el("p", { class: "when registers-of", text: `Robot ${robot}, your ${header.robots[robot].role}` });
      const list = el("ol", { class: "registers", "aria-label": `Registers of robot ${robot}` }, ...cards);
      return robots.length > 1 ? [whose, list] : [list];
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
    if (!header) return "Setting up the race …";
    if (now.thinking !== null) return `${capital(nameOf(now.thinking, header))} thinks …`;
    const others = (now.waiting || []).filter((robot) => !own.robots.includes(robot));
    if (others.length) return `Waiting for ${LIST.format(others.map((robot) => nameOf(robot, header)))} …`;
    return "The race goes on …";
  }

  /** A further line. */
  add(node) {
    this.container.querySelector(".desk-head")?.after(node);
  }

  /** Who came where, and the replay. */
  over(page) {
    const { header, own, now } = page;
    const { result } = now;
    const won = result.winners.some((robot) => own.robots.includes(robot));
    const names = LIST.format(result.winners.map((robot) => page.robotName(robot)));
    const ending = result.winners.length > 1 ? "win" : "wins";
    const title = won ? "You win!" : names ? `${capital(names)} ${ending}.` : "Nobody wins.";
    const rows = header.robots.map((robot) => ({ robot, place: result.places[robot.number] }))
      .sort((a, b) => a.place - b.place)
      .map(({ robot, place }) => el("li", { class: own.robots.includes(robot.number) ? "is-own" : "" },
        el("span", { class: "place", text: rankOf(place, result.places),
          title: "The rules name only the winner. The other robots are ranked by checkpoints reached, then by distance left; = means a tie." }),
        el("span", { class: "dot", style: `background:${robot.color}` }),
        el("span", {}, el("span", { text: `robot ${robot.number} (${robot.agent})` }),
          el("span", { class: "when how-far", text: howFar(robot.number, result, header) }))));
    const again = el("button", { type: "button", class: own.guided ? "quiet" : "primary", text: "Race again",
      title: "Same course and players, new cards", onclick: () => page.rematch() });
    const rounds = `${result.rounds} round${result.rounds === 1 ? "" : "s"}`;
    const detail = el("p", { class: "when", text: now.saved ? `${rounds}. Replay saved as ${now.saved}.` : `${rounds}.` });
    const other = now.start ? [el("a", { class: own.guided ? "primary" : "quiet", href: now.start, text: own.guided ? "On to a real race" : "Another course",
      title: "Go to the start page: courses, opponents, editions" })] : [];
    const tools = [...(now.saved ? this.links(now.saved) : []), ...other, ...(page.isWatching ? [] : [again])];
    this.put(title, tools, [detail, el("ol", { class: "places" }, ...rows)]);
    this.container.classList.add("is-over");
  }

  /** The race to watch again, to look back on, and its file. */
  links(saved) {
    const seat = location.pathname.replace(/\/$/, "");
    return [
      el("a", { class: "quiet", href: `${seat}/watch`, target: "_blank", text: "Watch the race",
        title: "Replay the whole race in a new tab" }),
      el("a", { class: "quiet", href: `${seat}/review`, target: "_blank", text: "Look back",
        title: "See where the race was won and lost in a new tab: win probabilities, blunders and better programs" }),
      el("a", { class: "quiet", href: `${seat}/card`, target: "_blank", text: "Send a card",
        title: "One small file for a friend, with the turning point, the chances and the blunder, in a new tab" }),
      el("a", { class: "quiet", href: `${seat}/replay.json`, download: saved, text: "Download the replay",
        title: "Download the race as a file for roborally watch and roborally review" }),
    ];
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

/** "2 of 3 checkpoints, about 4 registers from the goal" */
function howFar(robot, result, header) {
  const { checkpoints: many, checkpoint_word: word } = header;
  const reached = many ? `${result.reached[robot]} of ${many} ${word}${many === 1 ? "" : "s"}` : "";
  const left = Math.ceil(result.to_go[robot] ?? 0);
  const way = result.winners.includes(robot) || !left ? "" : `about ${left} register${left === 1 ? "" : "s"} from the goal`;
  const hints = result.hints[robot] ? `${result.hints[robot]} hint${result.hints[robot] === 1 ? "" : "s"}` : "";
  return [reached, result.to_go[robot] === null ? "out of the race" : way, hints].filter(Boolean).join(", ");
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
