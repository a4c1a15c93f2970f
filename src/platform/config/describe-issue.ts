import type { z } from "zod";
import { didYouMean } from "./suggest.ts";

const shownLengthMax = 60;

const kinds: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a group of keys",
};

/**
 * One problem of one value as the rest of a sentence that begins with the key. Schemas that use
 * patterns, unions or checks of their own bring their own words through `error`.
 */
export function describeIssue(
  issue: z.core.$ZodIssue,
  options: { readonly value: unknown; readonly showValue: boolean },
): string {
  const got = options.showValue ? `, got ${describeValue(options.value)}` : "";
  switch (issue.code) {
    case "invalid_type":
      return `must be ${kinds[issue.expected] ?? issue.expected}${got}`;
    case "invalid_value":
      return describeChoice(issue.values.map(String), options.value) + got;
    case "too_small":
      return isLength(issue.origin)
        ? `is too short${got}`
        : `must be at least ${issue.minimum}${got}`;
    case "too_big":
      return isLength(issue.origin)
        ? `must not be longer than ${issue.maximum}${got}`
        : `must be at most ${issue.maximum}${got}`;
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}${got}`;
    case "unrecognized_keys":
      return `has unknown ${issue.keys.length === 1 ? "key" : "keys"} ${issue.keys.map((key) => `\`${key}\``).join(", ")}`;
    default:
      return issue.message + got;
  }
}

/** A value as a person would recognise it, cut where it gets long. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "string") return `the text ${JSON.stringify(cut(value))}`;
  if (typeof value === "number") return `the number ${value}`;
  if (typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" ? "a group of keys" : `a ${typeof value}`;
}

function describeChoice(choices: readonly string[], value: unknown): string {
  const suggestion = typeof value === "string" ? didYouMean(value, choices) : "";
  const allowed = choices.length === 1 ? choices[0] : `one of ${choices.join(", ")}`;
  return `must be ${allowed}${suggestion}`;
}

function isLength(origin: string): boolean {
  return origin === "string" || origin === "array" || origin === "set";
}

function cut(text: string): string {
  return text.length <= shownLengthMax ? text : `${text.slice(0, shownLengthMax)}...`;
}
