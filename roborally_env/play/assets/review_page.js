// Waits for the page on which a race is looked back on, and goes there. While it asks, the work goes on.

const EVERY = 500; // ms
const TRIES = 10; // without an answer
const find = (id) => document.getElementById(id);
let failed = 0;

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

function show({ done, rounds }) {
  if (rounds) {
    find("done").max = rounds;
    find("done").value = done;
    find("how-far").textContent = `Searching round ${Math.min(done + 1, rounds)} of ${rounds}.`;
  }
  setTimeout(ask, EVERY);
}

function end(text) {
  find("done").remove();
  find("how-far").textContent = text;
}

ask();
