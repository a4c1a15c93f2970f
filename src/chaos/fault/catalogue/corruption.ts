import { z } from "zod";
import type { FaultEntry } from "./fault-entry.ts";
import { whole } from "./fields.ts";

const silent = {
  family: "corruption",
  targets: ["rank"],
  ending: "instant",
  undo: null,
  evidence: "a digest of the rank's state that differs from the one without the fault",
  xids: [],
} as const;

const where = z
  .enum(["gradient", "parameter"])
  .default("gradient")
  .describe("in what the rank hands to the sum of one step, or in its copy of the model");
const element = whole(0, "index over all parameters laid end to end, modulo their number");
const bit = whole(20, "of an f32, counted from the lowest; 23 to 30 are the exponent", { max: 31 });
const worlds = {
  sim: "the rank's numbers are wrong from there on; nothing is reported",
  host: "the worker's buffer is changed; nothing is reported",
  kubernetes: null,
  slurm: null,
} as const;

/** Silent corruption: nobody is told, and only comparing finds it. */
export const corruptionFaults = {
  bit_flip: {
    ...silent,
    name: "bit_flip",
    title: "One bit of a number is wrong",
    params: z.strictObject({ element, bit, where }),
    worlds,
  },
  not_a_number: {
    ...silent,
    name: "not_a_number",
    title: "A number becomes NaN",
    params: z.strictObject({ element, where }),
    worlds,
  },
  strided_corruption: {
    ...silent,
    name: "strided_corruption",
    title: "The same bit of every so many numbers is wrong, as a bad lane of a warp leaves it",
    params: z.strictObject({
      element,
      stride: whole(32, "from one wrong number to the next", { min: 1 }),
      count: whole(8, "wrong numbers", { min: 1, max: 1_000_000 }),
      bit,
      where,
    }),
    worlds,
  },
} as const satisfies Readonly<Record<string, FaultEntry>>;
