import { el } from "./elements.js";

const DARK = 0.0086; // the luminance of the black
const HINTS = / \(\d+ hints?\)$/;
const pieces = (text) => text.split(/\{(\d+)\}/); // names of robots stand as {number} in sentences
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The agent of a robot. How many hints a person took stands beside the robot, not in sentences. */
const agentOf = (number, header) => header.robots[number].agent.replace(HINTS, "");

/** A robot as text: "robot 2 (planner)". */
export function nameOf(number, header) {
  const agent = agentOf(number, header);
  return agent === `robot_${number}` ? `robot ${number}` : `robot ${number} (${agent})`;
}

/** A sentence with the names of the robots in it. */
export const sentence = (text, header) => capital(
  pieces(text).map((piece, i) => (i % 2 ? nameOf(Number(piece), header) : piece)).join(""),
);

/** The same with the robots in their colours, as a DocumentFragment. */
export function sentenceNode(text, header) {
  const fragment = document.createDocumentFragment();
  pieces(text).forEach((piece, i) => {
    if (i % 2 === 0) fragment.append(piece);
    else fragment.append(robotNode(Number(piece), header));
  });
  return fragment;
}

/** The numbers of the robots in some sentences, each once. */
export const robotsIn = (texts) => [...new Set(texts.flatMap((text) => pieces(text).filter((_, i) => i % 2).map(Number)))];

/** A robot's name behind its colour and number. */
export function robotNode(number, header) {
  const { color } = header.robots[number];
  const agent = agentOf(number, header);
  const name = agent === `robot_${number}` ? `robot ${number}` : agent;
  return el("span.rr-name", { title: nameOf(number, header) }, dot(number, color), name);
}

/** A robot's number in its colour. */
export function dot(number, color) {
  const node = el("span.rr-dot", { "aria-hidden": "true", text: String(number) });
  node.style.setProperty("--rr-robot", color);
  node.style.color = inkOn(color);
  return node;
}

/** Black or white, whichever has more contrast on a colour "#rrggbb" (WCAG 2, relative luminance). */
export function inkOn(color) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return (light + 0.05) ** 2 > 1.05 * (DARK + 0.05) ? "#15171a" : "#ffffff";
}
