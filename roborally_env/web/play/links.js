// Links that are given to other people.

import { el } from "../shared/elements.js";


const LOOPBACK = ["127.0.0.1", "localhost", "[::1]"];

/** A link for other people: on the address of this page, unless that is one that only this machine has. */
export function linkTo(path, base) {
  return new URL(path, base && LOOPBACK.includes(location.hostname) ? base : location.origin).href;
}

/** A link as a text to copy, with its name before it. */
export function linkField(name, link) {
  const field = el("input", { readonly: true, value: link, "aria-label": name, onfocus: () => field.select() });
  const copy = el("button", { type: "button", class: "quiet", text: "Copy", "aria-label": `Copy: ${name}` });
  copy.onclick = async () => {
    field.select();
    try {
      await navigator.clipboard.writeText(link);
      copy.textContent = "Copied";
    } catch { // not on a page without encryption: the text is selected
      copy.textContent = "Press Ctrl+C";
    }
  };
  return el("div", { class: "link-field" }, el("span", { text: name }), field, copy);
}
