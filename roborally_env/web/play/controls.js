// The controls in the bar above.

import { find } from "../shared/elements.js";
import { kept } from "../shared/kept.js";


/** The theme. `applyTheme("light" or "dark")` is called at once, and with each change. */
export function setUpTheme(applyTheme) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => kept.get("roborally-theme");
  const theme = () => (["light", "dark"].includes(chosen()) ? chosen() : dark.matches ? "dark" : "light");
  applyTheme(theme());
  dark.addEventListener("change", () => applyTheme(theme()));
  find("theme").onclick = () => {
    kept.set("roborally-theme", theme() === "dark" ? "light" : "dark");
    applyTheme(theme());
  };
}

/** Theme, speed and help. */
export function setUpControls(applyTheme) {
  setUpTheme(applyTheme);
  const speed = find("speed");
  speed.value = kept.get("roborally-speed") || "2";
  speed.onchange = () => kept.set("roborally-speed", speed.value);
  find("help").onclick = () => find("help-box").showModal();
}
