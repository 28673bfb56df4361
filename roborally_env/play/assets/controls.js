// The controls in the bar above, and what a page keeps between visits.

const find = (id) => document.getElementById(id);

/** What is kept between visits of this page, where the browser lets it. */
export const kept = {
  get(store, key) {
    try { return JSON.parse(store.getItem(key)); } catch { return null; }
  },
  set(store, key, value) {
    try { store.setItem(key, JSON.stringify(value)); } catch { /* a private window without storage */ }
  },
};

/** The theme. `applyTheme("light" or "dark")` is called at once, and with each change. */
export function setUpTheme(applyTheme) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => kept.get(localStorage, "roborally-theme");
  const theme = () => chosen() || (dark.matches ? "dark" : "light");
  applyTheme(theme());
  dark.addEventListener("change", () => applyTheme(theme()));
  find("theme").onclick = () => {
    kept.set(localStorage, "roborally-theme", theme() === "dark" ? "light" : "dark");
    applyTheme(theme());
  };
}

/** Theme, speed and help. */
export function setUpControls(applyTheme) {
  setUpTheme(applyTheme);
  const speed = find("speed");
  speed.value = kept.get(localStorage, "roborally-speed") || "2";
  speed.onchange = () => kept.set(localStorage, "roborally-speed", speed.value);
  find("help").onclick = () => find("help-box").showModal();
}
