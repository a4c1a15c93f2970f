import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { count, cursorParam, limitParam, moment, nextField, provenanceSchema } from "./common.ts";

export const baselineStates = ["candidate", "active", "superseded", "rejected", "expired"] as const;

export const baselineSchema = named(
  "Baseline",
  z.strictObject({
    id: z.string(),
    sku: z.string(),
    check: z.string(),
    cluster: z.string().nullable().describe("Whose runs it was learned from; null: not known."),
    evidence: provenanceSchema
      .nullable()
      .describe("What the figures of these runs are; null: not known."),
    cohort: z.string(),
    state: z.enum(baselineStates),
    madeAt: moment,
    expiresAt: moment,
    changedAt: moment,
    actor: z.string(),
    reason: z.string(),
    figures: z.record(
      z.string(),
      z.strictObject({
        higherIsBetter: z.boolean(),
        unit: z.string(),
        median: z.number(),
        sigma: z.number(),
        runSigma: z.number().nullable(),
        tail: z.number(),
        nodes: count,
        runs: count,
      }),
    ),
    provenance: z
      .record(z.string(), z.unknown())
      .describe("What it was learned from, and what was left out."),
  }),
);

export const baselineListQuery = z.strictObject({
  sku: z.string().max(253).optional(),
  check: z.string().max(253).optional(),
  state: z.enum(baselineStates).optional(),
  limit: limitParam({ default: 100, max: 500 }),
  cursor: cursorParam,
});

export const baselineListSchema = named(
  "BaselineList",
  z.strictObject({ baselines: z.array(baselineSchema), next: nextField }),
);

export type BaselineView = z.output<typeof baselineSchema>;
export type BaselineListView = z.output<typeof baselineListSchema>;
export type BaselineListQuery = z.output<typeof baselineListQuery>;

export interface BaselinesPort {
  list(query: BaselineListQuery): Promise<BaselineListView>;
  /** @throws E_NOT_FOUND */
  baseline(id: string): Promise<BaselineView>;
  change(
    id: string,
    change: { readonly to: "active" | "rejected"; readonly actor: string; readonly reason: string },
  ): Promise<BaselineView>;
}
