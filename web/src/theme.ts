import { effect, signal } from "@preact/signals";

export type ThemeChoice = "system" | "light" | "dark";

const key = "tessera.theme";
const dark =
  typeof window === "undefined" ? undefined : window.matchMedia("(prefers-color-scheme: dark)");

/** What the person chose. */
export const themeChoice = signal<ThemeChoice>(read());
const systemTheme = signal<"light" | "dark">(dark?.matches === true ? "dark" : "light");

/** What is shown; canvases repaint when it changes. */
export const theme = signal<"light" | "dark">("light");

dark?.addEventListener("change", () => {
  systemTheme.value = dark.matches ? "dark" : "light";
});

/** Keeps the document in the theme that was chosen. */
export function followTheme(): void {
  effect(() => {
    const chosen = themeChoice.value === "system" ? systemTheme.value : themeChoice.value;
    document.documentElement.dataset["theme"] = chosen;
    theme.value = chosen;
  });
}

export function chooseTheme(choice: ThemeChoice): void {
  try {
    localStorage.setItem(key, choice);
  } catch {
    // Then it holds for this page.
  }
  themeChoice.value = choice;
}

/** The value of a custom property, for canvases: `themeColor("--pass")`. */
export function themeColor(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function read(): ThemeChoice {
  try {
    const found = localStorage.getItem(key);
    return found === "light" || found === "dark" ? found : "system";
  } catch {
    return "system";
  }
}
