import { FieldProblem } from "../shape-error.ts";

/** The settings of `scontrol show config`, by their names in lower case; those without a value are left out. */
export function settingsOfText(printed: string): Readonly<Record<string, string>> {
  const settings: Record<string, string> = {};
  for (const line of printed.split("\n")) {
    const [, name, value = ""] = /^(\w+)\s*=(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const trimmed = value.trim();
    if (trimmed !== "" && trimmed !== "(null)") settings[name.toLowerCase()] = trimmed;
  }
  if (settings.clustername === undefined) throw new FieldProblem("ClusterName", "it is missing");
  return settings;
}
