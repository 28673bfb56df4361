// Waits until the review or the card of a race is ready, and goes there. While it asks, the work goes on.

import { find } from "../shared/elements.js";
import { setUpTheme } from "./controls.js";
import { clock, Countdown } from "./countdown.js";

const EVERY = 500; // ms
const TRIES = 10; // without an answer
const countdown = new Countdown();
let failed = 0;
let pace = null; // of the search: when it began, how many rounds were done then and at the last estimate, and its end

setUpTheme((theme) => { document.documentElement.dataset.theme = theme; });
find("how-far").parentElement.after(countdown.node);

async function ask() {
  try {
    const answer = await fetch(`${location.pathname.replace(/\/$/, "")}/state`);
    const state = await answer.json();
    failed = 0;
    if (state.ready) location.reload();
    else if (state.failure || !answer.ok) end(state.failure || state.error);
    else show(state);
  } catch {
    failed += 1;
    if (failed >= TRIES) end("The server does not answer: roborally play has ended, or the network is down.");
    else setTimeout(ask, EVERY);
  }
}

function show({ done, rounds, compiling }) {
  countdown.show(compiling);
  if (compiling) pace = null;
  if (rounds) {
    find("done").max = rounds;
    find("done").value = done;
    const text = `Searching round ${Math.min(done + 1, rounds)} of ${rounds}.`;
    if (find("how-far").textContent !== text) find("how-far").textContent = text; // it is spoken
    const seconds = compiling ? null : secondsLeft(done, rounds, performance.now() / 1000);
    find("left").textContent = seconds === null ? "" : `About ${clock(Math.max(1, Math.round(seconds)))} left.`;
  }
  setTimeout(ask, EVERY);
}

/** The seconds until all rounds are searched, estimated after each round; between two of them they count down. */
function secondsLeft(done, rounds, now) {
  pace ??= { began: now, from: done, done, end: null };
  if (done > pace.done) {
    pace.done = done;
    pace.end = now + ((now - pace.began) / (done - pace.from)) * (rounds - done);
  }
  return pace.end === null ? null : pace.end - now;
}

function end(text) {
  find("done").remove();
  find("left").remove();
  countdown.show(null);
  find("how-far").textContent = text;
}

ask();
