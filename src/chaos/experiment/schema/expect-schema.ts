import { z } from "zod";
import { didYouMean } from "../../../platform/config/index.ts";
import { metricNames } from "../../judge/index.ts";
import { type Gate, recoveryPaths, recoveryPhases } from "../../plan/index.ts";
import { count, durationUs } from "./values.ts";

const gateForm =
  /^\s*([A-Za-z][A-Za-z0-9._]{0,79})\s*(<=|>=)\s*(-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*$/;
const howToGate = 'must be a bound of a metric such as "throughputStability >= 0.5"';

const gate = z
  .string({ error: howToGate })
  .regex(gateForm, { error: howToGate })
  .refine((text) => unknownMetric(text) === undefined, {
    error: ({ input }) => unknownMetric(String(input)) ?? howToGate,
  })
  .transform((text): Gate => {
    const [, metric = "", operator = "<=", bound = ""] = gateForm.exec(text) ?? [];
    return { metric, operator: operator as Gate["operator"], bound: Number(bound) };
  });

function unknownMetric(text: string): string | undefined {
  const metric = gateForm.exec(text)?.[1];
  if (metric === undefined || metricNames.includes(metric)) return undefined;
  return `names no metric: ${metric}${didYouMean(metric, metricNames)}`;
}

/** Bounds of metrics, with commas between them; or what is wrong with one of them. */
export function parseGates(text: string): readonly Gate[] | string {
  const gates: Gate[] = [];
  for (const one of text.split(",")) {
    const { data, error } = gate.safeParse(one);
    if (data === undefined)
      return `${JSON.stringify(one.trim())}, which ${error?.issues[0]?.message}`;
    gates.push(data);
  }
  return gates;
}

export function gateText({ metric, operator, bound }: Gate): string {
  return `${metric} ${operator} ${bound}`;
}

const claimUnits = ["ranks", "nodes", "replicas", "racks"] as const;
export type ClaimUnit = (typeof claimUnits)[number];

export const claimSchema = z
  .strictObject({
    survives: z
      .strictObject({
        ranks: count(0).optional().describe("So many ranks."),
        nodes: count(0).optional().describe("So many nodes."),
        replicas: count(0).optional().describe("So many data-parallel replicas."),
        racks: count(0).optional().describe("So many racks."),
      })
      .refine((given) => Object.values(given).filter((one) => one !== undefined).length === 1, {
        error: `must be exactly one of ${claimUnits.join(", ")}`,
      })
      .meta({
        description: "What may be hit at once, within one recovery.",
        minProperties: 1,
        maxProperties: 1,
      }),
    per: z
      .enum(["job", "dp"])
      .optional()
      .describe("Counted over the job, or in each data-parallel group by itself; job."),
    times: count(1)
      .optional()
      .describe("How many recoveries; as many as the policy allows when not given."),
  })
  .describe("Inside a claim the job must recover; outside all of them it must fail, cleanly.");

const withinShape = Object.fromEntries(
  recoveryPhases.map((phase) => [
    phase,
    durationUs().optional().describe(`From the effect to the end of \`${phase}\`.`),
  ]),
) as Record<(typeof recoveryPhases)[number], z.ZodOptional<ReturnType<typeof durationUs>>>;

export const expectSchema = z
  .strictObject({
    claim: z
      .enum(["inside", "outside"])
      .optional()
      .describe("Says it outright, in place of the claims."),
    recovery: z
      .enum(recoveryPaths)
      .optional()
      .describe("The way it must take; any when not given."),
    within: z.strictObject(withinShape).optional().describe("Limits of every recovery."),
    integrity: z
      .enum(["bitwise", "samples", "none"])
      .optional()
      .describe(
        "bitwise: the final state equals that of the run without faults; samples: each exactly once.",
      ),
    gates: z.array(gate).max(100).optional().describe("Bounds of metrics."),
  })
  .describe("How it must come out.");

export type ExpectGiven = z.output<typeof expectSchema>;
export type ClaimGiven = z.output<typeof claimSchema>;
