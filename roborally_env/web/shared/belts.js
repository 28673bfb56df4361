import { svg } from "./elements.js";

const STRAIGHT = 50; // units from bar to bar, twice in a cell
const BENT = (Math.PI * STRAIGHT) / 4; // and twice on the way round its corner

/** Bars that run along all belts: a few long paths, which CSS moves while the board is `rr-running`. */
export const runningBelts = (layer) => {
  const ways = new Map();
  for (const bed of layer.querySelectorAll('[data-kind="belt"] > path:first-child')) {
    const speed = bed.getAttribute("stroke").includes("belt2") ? 2 : 1;
    for (const way of bed.getAttribute("d").split(/(?=M)/)) {
      const shape = way.includes("A") ? "bent" : "straight";
      const key = `${shape} ${speed}`;
      ways.set(key, (ways.get(key) ?? "") + way);
    }
  }
  return [...ways].map(([key, d]) => {
    const [shape, speed] = key.split(" ");
    const apart = shape === "bent" ? BENT : STRAIGHT;
    const path = svg("path", { d, class: `rr-run rr-run-${speed}`, "stroke-dasharray": `5 ${(apart - 5).toFixed(2)}` });
    path.style.setProperty("--apart", String(-apart));
    return path;
  });
};
