import { z } from "zod";
import type { Passing } from "../../../runtime/dist/health/index.ts";
import { type Converter, converter } from "./converter.ts";
import { bit, device, durationMs, element, which } from "./fields.ts";

const usPerMs = 1000;
const passing = z.object(which);

const onlyOne = "nth and share are two ways to choose: give one of them";
const whichOnes = "op, nth, or share with a seed, and times";

/** Faults of collectives. */
export const collectiveConverters = {
  dropCollective: converter({
    schema: z
      .strictObject({ ...which, timeout: durationMs.prefault("10m") })
      .refine(isOneChoice, onlyOne),
    remedy: `Give {} for all, or which ones: ${whichOnes}.`,
    convert: ({ timeout, ...ones }) => [
      { kind: "collective", ...passingOf(ones), fate: { kind: "drop", timeoutMs: timeout } },
    ],
  }),
  delayCollective: converter({
    schema: z.union([
      durationMs.transform((delay) => ({ delay, seed: 0 })),
      z.strictObject({ ...which, delay: durationMs }).refine(isOneChoice, onlyOne),
    ]),
    remedy: `Give a delay such as 1s, or { delay } and which ones: ${whichOnes}.`,
    convert: ({ delay, ...ones }) => [
      {
        kind: "collective",
        ...passingOf(ones),
        fate: { kind: "delay", delayUs: delay * usPerMs },
      },
    ],
  }),
  corruptCollective: converter({
    schema: z.strictObject({ ...which, device, element, bit }).refine(isOneChoice, onlyOne),
    remedy: `Give { device: 5 }, and if you like element, bit (0 to 63) and which ones: ${whichOnes}.`,
    convert: ({ device: one, element: at, bit: wrong, ...ones }) => [
      {
        kind: "collective",
        ...passingOf(ones),
        fate: { kind: "corrupt", device: one, element: at, bit: wrong },
      },
    ],
  }),
} as const satisfies Readonly<Record<string, Converter>>;

function isOneChoice({ nth, share }: z.output<typeof passing>): boolean {
  return nth === undefined || share === undefined;
}

function passingOf({ op, nth, share, seed, times }: z.output<typeof passing>): Passing {
  return {
    ...(op === undefined ? {} : { when: op }),
    ...(nth === undefined ? {} : { nth }),
    ...(share === undefined ? {} : { chance: { share, seed } }),
    ...(times === undefined ? {} : { times }),
  };
}
