import { z } from "zod";
import { parseDurationMs } from "../../../platform/units/index.ts";

const usPerMs = 1000;
/** A year: longer faults are no faults but the world. */
const durationUsMax = 366 * 86_400_000_000;

/** Whole microseconds, or text with a unit that comes to them: `50ms`. */
export function durationUs(defaultUs: number, description: string) {
  return z
    .union([z.int().min(0).max(durationUsMax), z.string().transform(usOfText)])
    .default(defaultUs)
    .describe(description);
}

export function share(defaultShare: number, description: string) {
  return z.number().min(0).max(1).default(defaultShare).describe(description);
}

/** How many times longer. */
export function factor(defaultFactor: number, description: string) {
  return z.number().min(1).max(1e6).default(defaultFactor).describe(description);
}

export function whole(
  defaultValue: number,
  description: string,
  { min = 0, max = Number.MAX_SAFE_INTEGER }: { readonly min?: number; readonly max?: number } = {},
) {
  return z.int().min(min).max(max).default(defaultValue).describe(description);
}

/** No parameters. */
export const noParams = z.strictObject({});

function usOfText(text: string, context: z.RefinementCtx<string>): number {
  let us: number;
  try {
    us = parseDurationMs(text) * usPerMs;
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    context.addIssue({ code: "custom", message, input: text });
    return z.NEVER;
  }
  const rounded = Math.round(us);
  // Text of fractions is exact to a microsecond or it is a mistake.
  if (Math.abs(us - rounded) < 1e-6 && rounded <= durationUsMax) return rounded;
  const message =
    rounded > durationUsMax ? "it is longer than a year" : "it is no whole number of microseconds";
  context.addIssue({ code: "custom", message, input: text });
  return z.NEVER;
}
