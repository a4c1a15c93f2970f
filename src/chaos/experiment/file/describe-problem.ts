import type { z } from "zod";
import { describeIssue } from "../../../platform/config/describe-issue.ts";
import { closest, didYouMean } from "../../../platform/config/index.ts";
import { keysAt } from "./known-keys.ts";

/** What is wrong with one value, as a sentence without its end, and which part it is about. */
export interface ValueProblem {
  readonly path: readonly PropertyKey[];
  /** Its key is wrong, not its value. */
  readonly of: "key" | "value";
  readonly problem: string;
}

/** Everything that is wrong with an experiment's values, each with what was probably meant. */
export function describeProblems(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
): readonly ValueProblem[] {
  const strangers = issues.filter((issue) => issue.code === "unrecognized_keys");
  const mistyped = new Set(strangers.map(({ path }) => nameOf(path)));
  const meant = new Set(strangers.flatMap((issue) => meantBy(issue, value)));
  return issues.flatMap((issue): readonly ValueProblem[] => {
    if (issue.code === "unrecognized_keys") return unknownKeys(issue, value);
    const given = valueAt(value, issue.path);
    // Whoever mistypes a key did not leave it out.
    if (issue.code === "custom" && mistyped.has(nameOf(issue.path))) return [];
    if (given === undefined && meant.has(nameOf(issue.path))) return [];
    const name = nameOf(issue.path) === "" ? "the file" : `\`${nameOf(issue.path)}\``;
    return [{ path: issue.path, of: "value", problem: `${name} ${describe(issue, given)}` }];
  });
}

/** The places that unknown keys were probably meant for. */
function meantBy(issue: z.core.$ZodIssueUnrecognizedKeys, value: unknown): readonly string[] {
  const known = keysAt(issue.path, value);
  return issue.keys.map((key) => nameOf([...issue.path, closest(key, known) ?? key]));
}

function unknownKeys(
  issue: z.core.$ZodIssueUnrecognizedKeys,
  value: unknown,
): readonly ValueProblem[] {
  return issue.keys.map((key) => {
    const path = [...issue.path, key];
    const meant = didYouMean(key, keysAt(issue.path, value));
    const within = nameOf(issue.path);
    const where = within === "" ? "" : ` in \`${within}\``;
    return { path, of: "key", problem: `unknown key \`${shown(key)}\`${where}${meant}` };
  });
}

function describe(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "invalid_union" && "options" in issue && Array.isArray(issue.options)) {
    const choices = issue.options.map(String);
    const meant = typeof value === "string" ? didYouMean(value, choices) : "";
    const must = `must be one of ${choices.join(", ")}${meant}`;
    return value === undefined ? `is missing: it ${must}` : must;
  }
  const sentence = describeIssue(issue, { value, showValue: value !== undefined });
  return value === undefined ? `is missing: it ${sentence}` : sentence;
}

/** `faults[2].at.step`. */
export function nameOf(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === "number") return `${name}[${part}]`;
    return name === "" ? shown(String(part)) : `${name}.${shown(String(part))}`;
  }, "");
}

/** A key may be any text, also one that would steer a terminal or fill it. */
function shown(key: string): string {
  return JSON.stringify(key).slice(1, -1).slice(0, 80);
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((part, step) => {
    if (typeof part !== "object" || part === null || !Object.hasOwn(part, step)) return undefined;
    return (part as Record<PropertyKey, unknown>)[step];
  }, value);
}
