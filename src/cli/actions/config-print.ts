import type { ConfigEntry } from "../../platform/config/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { redact } from "../../platform/log/redact-text.ts";
import type { Action } from "../invocation.ts";
import { writeJson, writeLine } from "../output.ts";

/** `tessera config print`: values with the place each comes from. */
export const run: Action = async ({ options, globals, io, config }) => {
  const resolved = await config();
  const entries = resolved
    .entries()
    .filter(({ origin }) => options["resolved"] === true || origin.source !== "default");
  if (globals.json) {
    writeJson(io.stdout, {
      file: resolved.file ?? null,
      values: Object.fromEntries(entries.map((entry) => [entry.key, asJson(entry)])),
    });
    return exitCodes.good;
  }
  if (entries.length === 0) {
    writeLine(io.stdout, "Nothing is set; every key has its default (--resolved shows them).");
    return exitCodes.good;
  }
  const keyWidth = Math.max(...entries.map(({ key }) => key.length));
  const texts = entries.map((entry) => shown(entry));
  const valueWidth = Math.max(...texts.map((text) => text.length));
  for (const [index, { key, origin }] of entries.entries()) {
    const value = (texts[index] ?? "").padEnd(valueWidth);
    writeLine(io.stdout, `${key.padEnd(keyWidth)}  ${value}  ${origin.where}`);
  }
  return exitCodes.good;
};

function asJson({ value, origin, secret }: ConfigEntry): object {
  return { value: (secret ? redact(String(value)) : value) ?? null, origin };
}

function shown({ value, secret }: ConfigEntry): string {
  if (value === undefined) return "(not set)";
  if (typeof value !== "string") return JSON.stringify(value);
  return secret ? redact(value) : value;
}
