import { z } from "zod";
import {
  formatBytes,
  formatDurationMs,
  parseBytes,
  parseDurationMs,
  UnitError,
} from "../units/index.ts";

interface Range {
  readonly min: number;
  readonly max: number;
}

/** A size: `1MiB`, `500 kB`, or a number of bytes. Resolves to bytes. */
export function bytes(range: Range) {
  return quantity(range, {
    noun: "size",
    example: "64MiB",
    parse: parseBytes,
    print: formatBytes,
  });
}

/** A duration: `30s`, `1h30m`. Resolves to milliseconds. */
export function duration(range: Range) {
  return quantity(range, {
    noun: "duration",
    example: "30s",
    parse: parseDurationMs,
    print: formatDurationMs,
  });
}

/** A service account. */
export function serviceAccount() {
  return z.string().regex(/^[a-z0-9][-a-z0-9]{0,62}\/[a-z0-9][-.a-z0-9]{0,252}$/, {
    error: "must be NAMESPACE/NAME of a service account",
  });
}

interface Measure {
  readonly noun: string;
  readonly example: string;
  readonly parse: (value: string | number) => number;
  readonly print: (value: number) => string;
}

function quantity(range: Range, { noun, example, parse, print }: Measure) {
  const outside = `must be a ${noun} from ${print(range.min)} to ${print(range.max)}`;
  return z
    .union([z.string(), z.number()], { error: `must be a ${noun}, such as ${example}` })
    .transform((value, context): number => {
      const parsed = readOrAdvise(() => parse(value));
      if (typeof parsed === "number" && parsed >= range.min && parsed <= range.max) return parsed;
      const problem =
        typeof parsed === "number" ? outside : `must be a ${noun}: ${parsed.howToWrite}`;
      context.addIssue({ code: "custom", message: problem });
      return z.NEVER;
    });
}

/** What a parser of units reads, or its advice on how to write such a quantity. */
function readOrAdvise(parse: () => number): number | { readonly howToWrite: string } {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof UnitError)) throw error;
    return { howToWrite: error.accepted };
  }
}
