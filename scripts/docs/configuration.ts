import { otherVariables } from "../../src/platform/config/environment.ts";
import { knownSettings } from "../../src/platform/config/known-settings.ts";
import { rootSection } from "../../src/platform/config/sections/root.ts";
import { isSection, type Section, type Setting } from "../../src/platform/config/setting.ts";
import { code, table } from "./markdown.ts";

/** The reference part of docs/configuration.md: every key and every variable. */
export function configurationReference(): string {
  const parts = [keyTable(""), ...sectionParts(rootSection, "")];
  const variables = Object.entries(otherVariables).map(([name, text]) => [code(name), text]);
  parts.push(`### Other variables\n\n${table(["variable", "meaning"], variables)}`);
  return parts.join("\n");
}

/** Each section with its keys, then the sections inside it. */
function sectionParts({ items }: Section, prefix: string): string[] {
  return Object.entries(items).flatMap(([name, item]) => {
    if (!isSection(item)) return [];
    const path = `${prefix}${name}`;
    const part = `### ${code(path)}\n\n${item.description}\n\n${keyTable(`${path}.`)}`;
    return [part, ...sectionParts(item, `${path}.`)];
  });
}

function keyTable(prefix: string): string {
  const rows = knownSettings
    .filter(({ key }) => key.startsWith(prefix) && !key.slice(prefix.length).includes("."))
    .map(({ key, variable, setting }) => [
      code(key),
      setting.description,
      defaultText(setting),
      (setting.examples ?? []).map((example) => code(exampleText(example))).join(", "),
      variable === undefined ? "" : code(variable),
    ]);
  return table(["key", "meaning", "default", "examples", "variable"], rows);
}

function exampleText(example: unknown): string {
  return typeof example === "string" ? example : JSON.stringify(example);
}

function defaultText({ default: value, defaultText: text }: Setting): string {
  if (value === undefined) return "not set";
  return text ?? code(typeof value === "string" ? value : JSON.stringify(value));
}
