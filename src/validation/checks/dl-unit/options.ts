import { z } from "zod";
import { caseTable, unbreakableCases } from "./cases/index.ts";
import { engineNames } from "./engine/engine.ts";

const caseNames = caseTable.map(({ name }) => name) as [string, ...string[]];

const breakableNames = caseNames.filter((name) => !unbreakableCases.has(name)) as [
  string,
  ...string[],
];

const corruption = z
  .strictObject({
    gpu: z.number().int().min(0).max(63).describe("The device, by its number."),
    case: z.enum(breakableNames).describe("The case it happens in."),
    kind: z
      .enum(["flip-bit", "altered-kernel"])
      .describe("One bit of the answer turned over, or a kernel that computes something else."),
    bit: z
      .number()
      .int()
      .min(0)
      .max(2 ** 40)
      .default(12_345)
      .describe("Which bit of the case's first output. Default 12345."),
    repeat: z
      .number()
      .int()
      .min(0)
      .max(10)
      .optional()
      .describe("In which repeat of the case, from 0; default in all."),
  })
  .describe("Breaks one answer on purpose, to rehearse that it is found; the result says so.");

/** What dl-unit can be told. */
export const dlUnitOptions = z.strictObject({
  engine: z
    .enum([...engineNames, "auto"])
    .default("auto")
    .describe(
      "Where to compute: cuda, cpu, torch, or auto: cuda where there are GPUs, else cpu. Default auto.",
    ),
  cases: z
    .array(z.enum(caseNames))
    .min(1)
    .optional()
    .describe(`Which cases: ${caseNames.join(", ")}. Default all that the profile has.`),
  devices: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe(
      "How many GPUs, from the first; or processes with engine cpu. Default all GPUs, 2 processes.",
    ),
  scale: z
    .number()
    .min(0.01)
    .max(2)
    .default(1)
    .describe("Factor for the sizes of the cases. Default 1. Others are another cohort."),
  iterations: z
    .number()
    .int()
    .min(1)
    .max(10_000)
    .optional()
    .describe("Timed iterations of each case. Default 3 to 30, by case."),
  durationMs: z
    .number()
    .int()
    .min(0)
    .max(7 * 86_400_000)
    .optional()
    .describe(
      "How long products and training go on with ever other data. Default 0; an hour in soak.",
    ),
  goldens: z
    .record(z.string().max(500), z.record(z.string().max(300), z.string().max(200)))
    .optional()
    .describe("Digests that answers must have: software key, then case and output, then digest."),
  corrupt: corruption.optional(),
});

export type DlUnitOptions = z.output<typeof dlUnitOptions>;
