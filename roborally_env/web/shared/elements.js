const SVG = "http://www.w3.org/2000/svg";

/**
 * An HTML element. Text is set as text: names come from other people.
 * @param {string} tag with classes, as "span.rr-card"
 * @param {Object} [attributes] `text` sets the content, a function (`onclick`) a listener, true an empty attribute;
 *   false, null and undefined set nothing
 * @param {...(?Node|string)} children null and undefined are left out
 */
export function el(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (value == null || value === false) continue;
    if (key === "text") node.textContent = value;
    else if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child != null));
  return node;
}

/** An SVG element. */
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** The element of the page with an id. */
export const find = (id) => document.getElementById(id);

/** Text that only screen readers read. */
export const hidden = (text) => el("span.rr-hidden", { text });

const parsed = new Map();

/** The children of a drawing given as text: a whole `<svg>`, or pieces of one. A fresh copy with each call. */
export function drawing(text) {
  if (!parsed.has(text)) {
    const whole = text.startsWith("<svg") ? text : `<svg xmlns="${SVG}">${text}</svg>`;
    parsed.set(text, new DOMParser().parseFromString(whole, "image/svg+xml").documentElement);
  }
  return [...parsed.get(text).childNodes].map((node) => document.importNode(node, true));
}

/** A drawing of its own, `size` units wide, centred on its middle. */
export function icon(text, size) {
  const attributes = { viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, class: "rr-icon", focusable: "false" };
  return svg("svg", { ...attributes, "aria-hidden": "true" }, ...drawing(text));
}
