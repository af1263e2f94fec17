// Light, dark, or as the system says; kept where the browser lets pages keep something.
import { button, el } from "./dom.js";

const key = "twoproof-theme", order = ["auto", "light", "dark"];

function kept() {
  try {
    return localStorage.getItem(key) || "auto";
  } catch (refused) {
    return "auto";
  }
}

export function themeButton() {
  let theme = order.includes(kept()) ? kept() : "auto";
  const text = el("span", {});
  const b = button("Theme", "theme", () => show(order[(order.indexOf(theme) + 1) % order.length]), { class: "plain" });
  b.append(text);
  function show(chosen) {
    theme = chosen;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    text.textContent = theme;
    b.setAttribute("aria-label", `Theme: ${theme}`);
    b.title = `Theme: ${theme}`;
    try {
      localStorage.setItem(key, theme);
    } catch (refused) {
      return;
    }
  }
  show(theme);
  return b;
}
