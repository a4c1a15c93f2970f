import { otherVariables } from "../../src/platform/config/environment.ts";
import { knownSettings } from "../../src/platform/config/known-settings.ts";
import { rootSection } from "../../src/platform/config/sections/root.ts";
import { isSection, type Setting } from "../../src/platform/config/setting.ts";
import { code, table } from "./markdown.ts";

/** The reference part of docs/configuration.md: every key and every variable. */
export function configurationReference(): string {
  const sections = Object.entries(rootSection.items).filter(([, item]) => isSection(item));
  const parts = [keyTable("")];
  for (const [name, { description }] of sections) {
    parts.push(`### ${code(name)}\n\n${description}\n\n${keyTable(`${name}.`)}`);
  }
  const variables = Object.entries(otherVariables).map(([name, text]) => [code(name), text]);
  parts.push(`### Other variables\n\n${table(["variable", "meaning"], variables)}`);
  return parts.join("\n");
}

function keyTable(prefix: string): string {
  const rows = knownSettings
    .filter(({ key }) => key.startsWith(prefix) && !key.slice(prefix.length).includes("."))
    .map(({ key, variable, setting }) => [
      code(key),
      setting.description,
      defaultText(setting),
      (setting.examples ?? []).map((example) => code(String(example))).join(", "),
      variable === undefined ? "" : code(variable),
    ]);
  return table(["key", "meaning", "default", "examples", "variable"], rows);
}

function defaultText({ default: value, defaultText: text }: Setting): string {
  if (value === undefined) return "not set";
  return text ?? code(typeof value === "string" ? value : JSON.stringify(value));
}
