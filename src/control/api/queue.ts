import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { count, limitParam, moment, nameParam, provenanceSchema, untoldSchema } from "./common.ts";

export const queueQuery = z.strictObject({
  cluster: nameParam,
  limit: limitParam({ default: 200, max: 1000 }),
});

/** What is under way, what comes next and what is kept waiting, each with its reason. */
export const queueSchema = named(
  "Queue",
  z.strictObject({
    cluster: z.string(),
    provenance: provenanceSchema,
    at: moment,
    untold: untoldSchema
      .optional()
      .describe(
        "There when the cluster cannot be told about: zeros and empty lists say nothing then.",
      ),
    policy: z.string(),
    freeNodes: count,
    inFlight: z.strictObject({ now: count, max: count }),
    gpuHours: z.strictObject({ today: z.number(), perDay: z.number().nullable() }),
    open: z.array(
      z.strictObject({
        runId: z.string(),
        node: z.string(),
        check: z.string(),
        purpose: z.string(),
        reason: z.string().describe("Why this node and this check."),
        state: z.enum(["planned", "submitted", "running", "cancelling"]),
        plannedAt: moment,
        elapsedS: z.number().min(0).describe("Since it was planned, in the cluster's time."),
      }),
    ),
    next: z.array(
      z.strictObject({
        node: z.string(),
        check: z.string(),
        purpose: z.string(),
        reason: z.string(),
        gpuHours: z.number(),
      }),
    ),
    nextTotal: count,
    postponed: z
      .array(
        z.strictObject({
          node: z.string(),
          check: z.string().nullable().describe("null: the node as a whole."),
          rail: z.string().describe("The guard rail that keeps it back."),
          reason: z.string(),
        }),
      )
      .describe("Of each rail the first 100, or fewer by `limit`."),
    postponedByRail: z
      .array(z.strictObject({ rail: z.string(), count }))
      .describe("All that are kept waiting, by the rail; the one that keeps most comes first."),
    postponedTotal: count.describe("All that are kept waiting."),
  }),
);

export type QueueView = z.output<typeof queueSchema>;

export interface QueuePort {
  queue(query: z.output<typeof queueQuery>): Promise<QueueView>;
}
