import type { Refuse } from "./refuse.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Reads the parts of a parsed document, each checked; `path` says where it stands, for messages. */
export interface FieldReader {
  /** An object with exactly these keys, and perhaps some of the optional ones. */
  record(
    value: unknown,
    path: string,
    keys: readonly string[],
    optional?: readonly string[],
  ): Fields;
  list(value: unknown, path: string, limit: number): readonly unknown[];
  integer(value: unknown, path: string, range?: { min?: number; max?: number }): number;
  text(value: unknown, path: string, limit?: number): string;
  /** 64 lower-case hex digits. */
  sha256(value: unknown, path: string): string;
  literal<Value>(value: unknown, path: string, wanted: Value): Value;
}

const hexPattern = /^[0-9a-f]{64}$/;

export function fieldReader(refuse: Refuse): FieldReader {
  return {
    record: (value, path, keys, optional = []) => {
      if (typeof value !== "object" || value === null || Array.isArray(value)) {
        return refuse("type", `${path} is no object`);
      }
      const missing = keys.find((key) => !Object.hasOwn(value, key));
      if (missing !== undefined) refuse("missing-key", `${path} has no ${missing}`);
      const unknown = Object.keys(value).find(
        (key) => !keys.includes(key) && !optional.includes(key),
      );
      if (unknown !== undefined) {
        refuse(
          "unknown-key",
          `${path} has an unknown key ${JSON.stringify(unknown.slice(0, 100))}`,
        );
      }
      return value as Fields;
    },
    list: (value, path, limit) => {
      if (!Array.isArray(value)) return refuse("type", `${path} is no list`);
      if (value.length > limit) refuse("range", `${path} has more than ${limit} entries`);
      return value;
    },
    integer: (value, path, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}) => {
      if (typeof value !== "number" || !Number.isSafeInteger(value)) {
        return refuse("type", `${path} is no whole number below 2^53`);
      }
      if (value < min || value > max) refuse("range", `${path} is ${value}, not ${min} to ${max}`);
      return value;
    },
    text: (value, path, limit = 65_536) => {
      if (typeof value !== "string") return refuse("type", `${path} is no text`);
      if (value.length > limit) refuse("range", `${path} is longer than ${limit} characters`);
      return value;
    },
    sha256: (value, path) => {
      if (typeof value === "string" && hexPattern.test(value)) return value;
      return refuse("hash", `${path} is no SHA-256 of 64 lower-case hex digits`);
    },
    literal: (value, path, wanted) => {
      if (value === wanted) return wanted;
      return refuse("format", `${path} is not ${JSON.stringify(wanted)}`);
    },
  };
}
