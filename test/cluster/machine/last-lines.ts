import { existsSync, readFileSync } from "node:fs";

/** The end of a log, on one line, for an error message. */
export function lastLines(file: string, lines = 4): string {
  if (!existsSync(file)) return "(no log)";
  const all = readFileSync(file, "utf8").trimEnd().split("\n");
  return all.slice(-lines).join(" | ").slice(-1200) || "(empty log)";
}
