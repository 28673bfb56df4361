// What a page gets beside the race: the timer that runs, and how many people watch.

import { find } from "../shared/elements.js";
import { linkField, linkTo } from "./links.js";

const TICK = 200; // ms
const SHORT = 10; // seconds

export class Around {
  /** `on` has: say(text), announce(text). */
  constructor(on) {
    this.on = on;
    this.ends = null; // of the timer, by performance.now()
    this.caught = null; // until the first state: what it says is no news
    find("watching").onclick = () => this.invite();
  }

  show(now, own) {
    this.now = now;
    const many = now.watching || 0;
    find("watching").hidden = !now.watch;
    find("watching").textContent = many ? `${many} watching` : "Invite";
    find("watching").title = many ? "Spectators see only open cards and cannot play" : "Get a link for spectators";
    find("watching").setAttribute("aria-label", many ? `${many} watching: get the link for spectators` : "Invite someone to watch");
    this.time(now.timer || { runs: false, caught: [] }, now.left, own);
  }

  time(timer, left, own) {
    if (timer.runs && this.ends === null) {
      this.ends = performance.now() + left * 1000;
      this.isShort = false;
      this.on.announce(`The timer has started: ${Math.round(left)} seconds.`);
      this.timer = setInterval(() => this.tick(), TICK);
      this.tick();
    }
    if (!timer.runs && this.ends !== null) {
      clearInterval(this.timer);
      this.ends = null;
      find("timer").hidden = true;
    }
    const caught = String(timer.caught);
    if (this.caught !== null && caught !== this.caught && timer.caught.some((robot) => own.robots.includes(robot))) {
      this.on.say("Time is up: your empty registers are filled at random.");
    }
    this.caught = caught;
  }

  tick() {
    const left = Math.max(0, Math.ceil((this.ends - performance.now()) / 1000));
    const timer = find("timer");
    timer.hidden = false;
    timer.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    timer.classList.toggle("is-short", left <= SHORT);
    if (left <= SHORT && !this.isShort) {
      this.isShort = true;
      this.on.announce(`${left} seconds left.`);
    }
  }

  /** The link for those who only watch. */
  invite() {
    const link = linkTo(this.now.watch, this.now.base);
    find("share-link").replaceChildren(linkField("To watch", link));
    find("share-box").showModal();
  }
}
