import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { runOutcomes } from "../../platform/words.ts";
import {
  count,
  cursorParam,
  findingSchema,
  limitParam,
  moment,
  nameParam,
  nextField,
  provenanceSchema,
  verdictSchema,
} from "./common.ts";

export const runStates = ["planned", "submitted", "running", "cancelling", "ended"] as const;

export const runRowSchema = named(
  "RunRow",
  z.strictObject({
    id: z.string(),
    cluster: z.string(),
    node: z.string(),
    check: z.string(),
    purpose: z.enum(["routine", "retest", "acceptance", "manual"]),
    state: z.enum(runStates),
    plannedAt: moment,
    startedAt: moment.nullable(),
    endedAt: moment.nullable(),
    outcome: z.enum(runOutcomes).nullable(),
    verdict: verdictSchema.nullable(),
    reason: z.string().nullable().describe("Of the verdict; else why it did not complete."),
    provenance: provenanceSchema,
  }),
);

export const runListQuery = z.strictObject({
  cluster: nameParam.optional(),
  node: nameParam.optional(),
  check: nameParam.optional(),
  outcome: z.enum([...runOutcomes, "open"]).optional(),
  verdict: verdictSchema.optional(),
  limit: limitParam({ default: 50, max: 500 }),
  cursor: cursorParam,
});

export const runListSchema = named(
  "RunList",
  z.strictObject({ runs: z.array(runRowSchema), next: nextField }),
);

export const runDetailSchema = named(
  "RunDetail",
  z.strictObject({
    ...runRowSchema.shape,
    why: z.string().describe("Why this node and this check at that time."),
    policy: z.string(),
    sku: z.string(),
    rack: z.string(),
    gpus: count,
    gpuHours: z.number(),
    jobName: z.string(),
    submittedAt: moment.nullable(),
    error: z.string().nullable(),
    hardFacts: z.array(z.string()),
    cohort: z.string().nullable(),
    findings: z.array(findingSchema),
    figures: z.array(
      z.strictObject({
        name: z.string(),
        unit: z.string(),
        higherIsBetter: z.boolean(),
        samples: z.array(z.number()).max(2000),
        samplesTotal: count,
        median: z.number().nullable(),
      }),
    ),
    facts: z.record(z.string(), z.unknown()),
    baselineId: z.string().nullable(),
    handedIn: z.enum(["pod", "loop"]).nullable().describe("Who said how it ended."),
    log: z.strictObject({ available: z.boolean(), reason: z.string() }),
  }),
);

export const runLogQuery = z.strictObject({
  offset: z.coerce.number().int().min(0).max(1e12).default(0),
  limit: z.coerce.number().int().min(1).max(1_048_576).default(262_144),
});

export const runLogSchema = named(
  "RunLog",
  z.strictObject({
    text: z.string().describe("UTF-8; what is not is shown as replacement characters."),
    offset: count,
    next: count.describe("Ask with this `offset` for what comes after."),
    sizeBytes: count,
    isOver: z.boolean().describe("The run has ended and this is the end of its log."),
  }),
);

export type RunRow = z.output<typeof runRowSchema>;
export type RunListQuery = z.output<typeof runListQuery>;
export type RunListView = z.output<typeof runListSchema>;
export type RunDetailView = z.output<typeof runDetailSchema>;
export type RunLogQuery = z.output<typeof runLogQuery>;
export type RunLogView = z.output<typeof runLogSchema>;

export interface RunsPort {
  list(query: RunListQuery): Promise<RunListView>;
  run(id: string): Promise<RunDetailView>;
  log(id: string, query: RunLogQuery): Promise<RunLogView>;
}
