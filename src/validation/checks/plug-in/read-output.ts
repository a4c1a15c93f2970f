import { z } from "zod";
import { firstIssue, outputSchema } from "../../collect/result-schema.ts";
import type { RunFigure } from "../../run.ts";
import type { CheckOutput } from "../check.ts";
import type { Manifest } from "./manifest.ts";

const sample = z.number().nullable();

/** A figure as a program may say it: one number, its samples, or with the words of the manifest. */
const saidFigure = z.union([
  sample.transform((value) => ({ samples: [value] })),
  z.array(sample).transform((samples) => ({ samples })),
  z.strictObject({
    samples: z.array(sample),
    higherIsBetter: z.boolean().optional(),
    unit: z.string().optional(),
  }),
]);

const saidSchema = z.looseObject({ figures: z.record(z.string(), saidFigure) });

/** What a plug-in's program found, or why that is no result. */
export type ReadOutput = { readonly output: CheckOutput } | { readonly problem: string };

/** Reads a result against its manifest: every figure it promises, no other, and in its own units. */
export function readOutput(value: unknown, { figures: promised }: Manifest): ReadOutput {
  const said = saidSchema.safeParse(value);
  if (!said.success) return { problem: firstIssue(said.error) };
  const figures: Record<string, RunFigure> = {};
  for (const [name, { unit, higherIsBetter }] of Object.entries(promised)) {
    const found = said.data.figures[name];
    if (found === undefined || found.samples.length === 0) {
      return { problem: `figures.${name}: the manifest promises it and it was not measured` };
    }
    if ("unit" in found && found.unit !== undefined && found.unit !== (unit ?? "")) {
      return { problem: `figures.${name}.unit: it is ${found.unit}, not ${unit ?? "none"}` };
    }
    if ("higherIsBetter" in found && (found.higherIsBetter ?? higherIsBetter) !== higherIsBetter) {
      return { problem: `figures.${name}.higherIsBetter: the manifest says ${higherIsBetter}` };
    }
    const samples = found.samples as number[];
    figures[name] = { samples, higherIsBetter, ...(unit === undefined ? {} : { unit }) };
  }
  const extra = Object.keys(said.data.figures).find((name) => !Object.hasOwn(promised, name));
  if (extra !== undefined) return { problem: `figures.${extra}: the manifest does not name it` };
  const parsed = outputSchema.safeParse({ ...said.data, figures });
  if (!parsed.success) return { problem: firstIssue(parsed.error) };
  const { cohort, ...output } = parsed.data;
  return { output: { ...output, ...(cohort === undefined ? {} : { cohort }) } };
}
