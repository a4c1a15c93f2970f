import { z } from "zod";
import { runOutcomes } from "../../platform/words.ts";

export const resultFormat = "tessera.run-result/1";

/** What a result may hold at most; more is refused, never cut. */
export const resultLimits = {
  sizeBytes: 8 * 2 ** 20,
  figures: 512,
  /** Of all figures together. */
  samples: 100_000,
  hardFacts: 256,
  sentenceChars: 2000,
  nameChars: 253,
  unitChars: 32,
  cohortChars: 500,
  /** Of the facts as JSON. */
  factsChars: 256 * 1024,
} as const;

const name = z.string().min(1).max(resultLimits.nameChars);
const sentence = z.string().max(resultLimits.sentenceChars);

/** A sample that is no finite number is written as null and read as NaN, which no rule lets pass. */
const samples = z
  .array(z.number().nullable())
  .max(resultLimits.samples)
  .transform((values) => values.map((value) => value ?? Number.NaN));

const figure = z
  .strictObject({
    samples,
    higherIsBetter: z.boolean(),
    unit: z.string().max(resultLimits.unitChars).optional(),
  })
  .transform(({ unit, ...rest }) => ({ ...rest, ...(unit === undefined ? {} : { unit }) }));

const figures = z
  .record(name, figure)
  .refine((all) => Object.keys(all).length <= resultLimits.figures, {
    error: `has more than ${resultLimits.figures} figures`,
  })
  .refine((all) => countSamples(all) <= resultLimits.samples, {
    error: `has more than ${resultLimits.samples} samples`,
  });

const facts = z
  .record(z.string().max(resultLimits.nameChars), z.json())
  .refine((all) => JSON.stringify(all).length <= resultLimits.factsChars, {
    error: `is longer than ${resultLimits.factsChars} characters`,
  });

/** What a check has found, as it comes from outside. */
export const outputSchema = z.strictObject({
  figures,
  hardFacts: z.array(sentence.min(1)).max(resultLimits.hardFacts).default([]),
  cohort: z.string().max(resultLimits.cohortChars).optional(),
  facts: facts.default({}),
});

/** The document a run hands in. */
export const resultSchema = z.strictObject({
  format: z.literal(resultFormat),
  runId: name,
  cluster: name,
  node: name,
  check: name,
  outcome: z.enum(runOutcomes),
  startedAt: z.iso.datetime().optional(),
  endedAt: z.iso.datetime(),
  error: sentence.optional(),
  figures,
  hardFacts: z.array(sentence.min(1)).max(resultLimits.hardFacts),
  cohort: z.string().max(resultLimits.cohortChars).optional(),
  facts,
  proof: z.string().regex(/^[0-9a-f]{64}$/),
});

export type ResultDocument = z.output<typeof resultSchema>;

function countSamples(all: Readonly<Record<string, { readonly samples: readonly number[] }>>) {
  return Object.values(all).reduce((sum, { samples: own }) => sum + own.length, 0);
}

/** The first thing that is wrong with a value, and where: `figures.gflops.samples.3: …`. */
export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues;
  if (issue === undefined) return "it is not valid";
  const path = issue.path.map(String).join(".").slice(0, 200);
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
