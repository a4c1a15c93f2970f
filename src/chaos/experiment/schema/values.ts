import { z } from "zod";
import { parseDurationMs, UnitError } from "../../../platform/units/index.ts";

const usPerMs = 1000;
/** Longer than any experiment, far below where microseconds lose their last digit. */
export const durationUsMax = 1000 * 24 * 3600 * 1_000_000;

const durationForm = /^\s*(\d+(\.\d+)?|\.\d+)\s*[a-zµ]+(\s*(\d+(\.\d+)?|\.\d+)\s*[a-zµ]+)*\s*$/;
const howToWrite = "must be a duration with a unit, such as 250ms, 30s or 1h30m";

/** A duration as people write it; microseconds for the plan. */
export function durationUs(options: { readonly min?: number } = {}) {
  const { min = 0 } = options;
  return z
    .union([z.string().regex(durationForm, { error: howToWrite }), z.literal(0)], {
      error: howToWrite,
    })
    .transform((given, context): number => {
      const parsed = readDurationUs(given);
      if (parsed !== undefined && parsed >= min && parsed <= durationUsMax) return parsed;
      const range = min > 0 ? "must be longer than nothing" : "must be at most 1000d";
      const problem = parsed === undefined || parsed > durationUsMax ? undefined : range;
      context.addIssue({ code: "custom", message: problem ?? `${howToWrite}, at most 1000d` });
      return z.NEVER;
    });
}

function readDurationUs(given: string | 0): number | undefined {
  try {
    return Math.round(parseDurationMs(given) * usPerMs);
  } catch (error) {
    if (error instanceof UnitError) return undefined;
    throw error;
  }
}

/** Microseconds as a file may say them, in the largest unit that keeps them whole. */
export function durationText(us: number): string {
  const units = [
    ["h", 3_600_000_000],
    ["m", 60_000_000],
    ["s", 1_000_000],
    ["ms", 1000],
  ] as const;
  const unit = us === 0 ? undefined : units.find(([, size]) => us % size === 0);
  return unit === undefined ? `${us}us` : `${us / unit[1]}${unit[0]}`;
}

/** A whole number from `min` on. */
export function count(min: number, max = 1_000_000) {
  return z.int().min(min).max(max);
}

export const share = z.number().min(0).max(1);
export const shortText = z.string().min(1).max(200);
export const longText = z.string().min(1).max(4096);
export const axisName = z.enum(["dp", "tp", "pp"]);

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the fields that were not given: an optional key is there or it is not. */
export function defined<T extends object>(given: T): Defined<T> {
  const entries = Object.entries(given).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}
