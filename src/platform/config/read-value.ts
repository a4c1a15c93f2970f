import { isAbsolute, join, resolve } from "node:path";
import { describeIssue } from "./describe-issue.ts";
import type { KnownSetting } from "./known-settings.ts";
import { type Place, type Problems, placeText } from "./problems.ts";
import type { ConfigEntry, OriginSource } from "./resolved-config.ts";

/** One source's word on one setting, before it is checked. */
export interface Candidate {
  readonly value: unknown;
  readonly source: OriginSource;
  readonly place: Place;
  /** The folder relative paths count from. */
  readonly folder: string;
  /** The line of a part of the value, by the keys and positions that lead there. */
  readonly lineAt?: (path: readonly PropertyKey[]) => number;
}

/** Checks a value against its setting. What is wrong goes to `problems`, and the value is unset. */
export function readValue(
  known: KnownSetting,
  candidate: Candidate,
  options: { readonly home: string; readonly problems: Problems },
): ConfigEntry {
  const { key, setting } = known;
  const { source, place } = candidate;
  const origin = { source, where: placeText(place) };
  const secret = setting.secret?.(candidate.value) ?? false;
  const problem = (text: () => string) => options.problems.add(place, text);
  if (secret && source === "file") {
    problem(
      () =>
        `\`${key}\` holds a password, and secrets do not belong in this file; use ${known.variable ?? "the environment"}`,
    );
  }
  const parsed = parse(known, candidate);
  if (parsed.success) {
    const value = absolutePaths(known, parsed.data, {
      home: options.home,
      folder: candidate.folder,
    });
    return { key, value, origin, secret };
  }
  // A value that may hold a secret is not repeated in an error, least of all when it is malformed.
  const showValue = setting.secret === undefined;
  for (const issue of parsed.error.issues) {
    const name = [key, ...issue.path].join(".");
    const value = valueAt(candidate.value, issue.path);
    // A key that nobody knows has a line of its own, though the problem is that of its group.
    const at = issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys] : issue.path;
    options.problems.add(placeOf(candidate, at), () => {
      return `\`${name}\` ${describeIssue(issue, { value, showValue })}`;
    });
  }
  return { key, value: undefined, origin, secret };
}

/** A part of a longer value has a line of its own. */
function placeOf({ place, lineAt }: Candidate, path: readonly PropertyKey[]): Place {
  return lineAt === undefined ? place : { ...place, line: lineAt(path) };
}

/** Text from the environment or a flag is also tried as the number or truth value it spells. */
function parse({ setting }: KnownSetting, { value, source }: Candidate) {
  const first = setting.schema.safeParse(value);
  if (first.success || typeof value !== "string" || source === "file") return first;
  const spelled = spelledValue(value);
  return spelled === undefined ? first : setting.schema.safeParse(spelled);
}

function spelledValue(text: string): number | boolean | undefined {
  if (text === "true" || text === "false") return text === "true";
  return /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
}

function absolutePaths(
  { setting }: KnownSetting,
  value: unknown,
  from: { readonly home: string; readonly folder: string },
): unknown {
  if (setting.path === undefined) return value;
  return setting.path(value, (path) => {
    if (path === "~" || path.startsWith("~/")) return join(from.home, path.slice(1));
    return isAbsolute(path) ? path : resolve(from.folder, path);
  });
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, step) =>
      typeof at === "object" && at !== null
        ? (at as Record<PropertyKey, unknown>)[step]
        : undefined,
    value,
  );
}
