import { el, find } from "../shared/elements.js";
import { kept } from "../shared/kept.js";

const KEYS = [
  ["Space", "play or pause"], ["← →", "back or forward one moment"], ["Shift + ← →", "back or forward one register"],
  ["[ ]", "back or forward one round"], ["E, Shift + E", "next or previous mark: a checkpoint or a lost robot"],
  ["Home, End", "go to the start or the end"], [", .", "slower or faster"], ["+ − 0", "zoom in, zoom out or reset"],
  ["T", "show only the board"], ["F, Shift + F", "follow the next or previous robot, or none"], ["M", "turn sound on or off"],
  ["C", "copy a link to this moment"], ["L", "light or dark theme"], ["?", "show this list"],
];
const THEMES = { auto: "Auto", light: "Light", dark: "Dark" };

/** The buttons at the top of the page: a link to copy, light or dark, the list of keys. */
export class Tools {
  /**
   * @param {function(): string} link the address to copy
   * @param {string[][]} [keys] further lines of the list of keys
   */
  constructor(link, keys = []) {
    Object.assign(this, { link, keys });
    find("copy").addEventListener("click", () => this.copy());
    find("theme").addEventListener("click", () => this.nextTheme());
    find("help").addEventListener("click", () => this.help());
    this.setTheme(kept.get("roborally-theme"));
  }

  async copy() {
    const copied = await copyText(this.link());
    const button = find("copy");
    button.textContent = copied ? "Copied" : "Copy failed";
    find("said").textContent = copied ? "Link to this moment copied" : "Could not copy the link";
    setTimeout(() => { button.textContent = "Copy link"; }, 1600);
  }

  setTheme(name) {
    const theme = name in THEMES ? name : "auto";
    this.theme = theme;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    find("theme").textContent = THEMES[theme];
    find("theme").setAttribute("aria-label", `Theme: ${theme}`);
  }

  nextTheme() {
    this.setTheme({ auto: "dark", dark: "light", light: "auto" }[this.theme]);
    kept.set("roborally-theme", this.theme);
  }

  help() {
    const dialog = find("keys");
    const rows = [...KEYS, ...this.keys].map(([keys, does]) => el("tr", {}, el("th", { scope: "row", text: keys }), el("td", { text: does })));
    const close = el("button", { type: "button", text: "Close", onclick: () => dialog.close() });
    dialog.replaceChildren(el("h2", { text: "Keys" }), el("table", {}, ...rows), close);
    dialog.showModal();
  }
}

/** Put text on the clipboard, the old way where the new one is not allowed. */
const copyText = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = el("textarea", { text, "aria-hidden": "true" });
    document.body.append(field);
    field.select();
    const copied = document.execCommand("copy");
    field.remove();
    return copied;
  }
};
