import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { count, limitParam, moment, nameParam, provenanceSchema } from "./common.ts";

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
    policy: z.string(),
    freeNodes: count,
    inFlight: z.strictObject({ now: count, max: count }),
    gpuHours: z.strictObject({ today: z.number(), perDay: z.number().nullable() }),
    open: z.array(
      z.strictObject({
        runId: z.string(),
        node: z.string(),
        check: z.string(),
        state: z.enum(["planned", "submitted", "running", "cancelling"]),
        plannedAt: moment,
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
    postponed: z.array(
      z.strictObject({
        node: z.string(),
        check: z.string().nullable(),
        rail: z.string().describe("The guard rail that keeps it back."),
        reason: z.string(),
      }),
    ),
    postponedTotal: count,
  }),
);

export type QueueView = z.output<typeof queueSchema>;

export interface QueuePort {
  queue(query: z.output<typeof queueQuery>): Promise<QueueView>;
}
