"use strict";

(() => {
  const { el } = Robo;
  const KEYS = [
    ["Space", "play, pause"], ["← →", "a moment back, on"], ["Shift + ← →", "a register back, on"],
    ["[ ]", "a round back, on"], ["E, Shift + E", "the next mark, the last: a checkpoint, a robot lost"],
    ["Home, End", "the start, the end"], [", .", "slower, faster"], ["+ − 0", "zoom in, zoom out, usual size"],
    ["T", "only the board"], ["F, Shift + F", "follow the next robot, the last, nobody"], ["M", "sound on, off"],
    ["C", "copy a link to this moment"], ["L", "light, dark"], ["?", "this list"],
  ];
  const find = (id) => document.getElementById(id);

  /** The buttons at the top of the page: a link to copy, light or dark, the list of keys. */
  Robo.Tools = class {
    /**
     * @param {function(): string} link the address to copy
     * @param {string[][]} [keys] further lines of the list of keys
     */
    constructor(link, keys = []) {
      Object.assign(this, { link, keys });
      find("copy").addEventListener("click", () => this.copy());
      find("theme").addEventListener("click", () => this.nextTheme());
      find("help").addEventListener("click", () => this.help());
      this.setTheme(stored("roborally-theme") ?? "auto");
    }

    async copy() {
      const copied = await copyText(this.link());
      const button = find("copy");
      button.textContent = copied ? "Copied" : "Copy failed";
      find("said").textContent = copied ? "Link to this moment copied" : "The link could not be copied";
      setTimeout(() => { button.textContent = "Copy link"; }, 1600);
    }

    setTheme(theme) {
      this.theme = theme;
      if (theme === "auto") delete document.documentElement.dataset.theme;
      else document.documentElement.dataset.theme = theme;
      find("theme").textContent = { auto: "Auto", light: "Light", dark: "Dark" }[theme];
      find("theme").setAttribute("aria-label", `Theme: ${theme}`);
    }

    nextTheme() {
      const theme = { auto: "dark", dark: "light", light: "auto" }[this.theme] ?? "auto";
      this.setTheme(theme);
      store("roborally-theme", theme);
    }

    help() {
      const dialog = find("keys");
      const rows = [...KEYS, ...this.keys].map(([keys, does]) => el("tr", {}, el("th", { scope: "row", text: keys }), el("td", { text: does })));
      const close = el("button", { type: "button", text: "Close", onclick: () => dialog.close() });
      dialog.replaceChildren(el("h2", { text: "Keys" }), el("table", {}, ...rows), close);
      dialog.showModal();
    }
  };

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

  const stored = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  const store = (key, value) => {
    try {
      localStorage.setItem(key, value);
    } catch {
      // not kept, then
    }
  };
})();
