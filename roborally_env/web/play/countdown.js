// What is compiled, and the seconds that are left.

import { el } from "../shared/elements.js";


export class Countdown {
  constructor() {
    this.what = el("span");
    this.left = el("span", { "aria-hidden": "true" }); // nobody wants to hear every second
    this.node = el("span", { class: "when countdown", hidden: true }, this.what, this.left);
  }

  /** Show what the server says; null hides it. */
  show(compiling) {
    this.node.hidden = !compiling;
    if (!compiling) return;
    const what = `Compiling ${compiling.what}, the first time only`;
    if (this.what.textContent !== what) this.what.textContent = what;
    this.left.textContent = compiling.seconds === null ? " …" : `: about ${clock(compiling.seconds)} left.`;
  }
}

/** "45 s", "1 min 20 s" */
export function clock(seconds) {
  const minutes = Math.floor(seconds / 60);
  return minutes ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}

/** Ask the server every second, until `stop` is called on what this returns, and show what it compiles. */
export function follow(address, countdown) {
  const ask = async () => {
    const answer = await fetch(address).catch(() => null);
    const found = answer && answer.ok ? await answer.json().catch(() => null) : null;
    if (timer !== null) countdown.show(found && found.compiling);
  };
  let timer = setInterval(ask, 1000);
  return {
    stop() {
      clearInterval(timer);
      timer = null;
      countdown.show(null);
    },
  };
}
