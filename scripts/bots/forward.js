// A bot in JavaScript: it drives forward as far as its hand allows.
//
// roborally evaluate --agents "exec:node scripts/bots/forward.js" greedy random

const WORTH = { move_3: 5, move_2: 4, move_1: 3, turn_left: 2, turn_right: 2 };

/** How much a card is wanted; in 2005 a name has a number after it, as move_1:490. */
const worth = (card) => WORTH[card.split(":")[0]] ?? 1;

/** For each register the legal slot with the highest worth that is not used yet. */
function program(row) {
  const used = [];
  for (const legal of row.legal) {
    let best = -1;
    for (const slot of legal) {
      if (!used.includes(slot) && (best < 0 || worth(row.hand[slot]) > worth(row.hand[best]))) best = slot;
    }
    used.push(Math.max(best, 0));
  }
  return used;
}

require("node:readline")
  .createInterface({ input: process.stdin })
  .on("line", (line) => {
    const ask = JSON.parse(line);
    const answers = ask.rows.map((row) => (row.decision === "program" ? program(row) : row.default));
    console.log(JSON.stringify({ id: ask.id, answers }));
  });
