import { basename } from "node:path";

/**
 * The names this program answers to. kubectl runs `kubectl-tessera` for `kubectl tessera`, and
 * `kubectl_complete-tessera` when somebody presses the tab key after it.
 */
export type CalledAs = "tessera" | "kubectl tessera" | "kubectl completion";

/** How this process was called, by the path of its script as it was given. */
export function calledAs(script: string | undefined): CalledAs {
  const name = basename(script ?? "").replace(/\.(cmd|exe|js)$/, "");
  if (name === "kubectl-tessera") return "kubectl tessera";
  return name === "kubectl_complete-tessera" ? "kubectl completion" : "tessera";
}

/** Makes the commands in a text those that the reader can type: in usage lines, examples and hints. */
export function asCalled(text: string, name: CalledAs): string {
  if (name !== "kubectl tessera") return text;
  return text.replaceAll(/(?<=Usage: |\$ |`)tessera(?=[ `\n])/g, name);
}
