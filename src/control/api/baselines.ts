import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import {
  count,
  cursorParam,
  limitParam,
  moment,
  nameParam,
  nextField,
  provenanceSchema,
} from "./common.ts";

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

/** What is to be learned, as `tessera baseline propose` takes it. */
export const proposeBody = z.strictObject({
  cluster: nameParam.optional().describe("Only from runs of this cluster."),
  check: nameParam.optional().describe("Only from runs of this check."),
  days: z.number().gt(1).max(365).default(14).describe("From the runs of so many days."),
  activate: z
    .boolean()
    .default(false)
    .describe("Bring into force at once what no guard rail is against."),
  reason: z.string().trim().min(3).max(500).describe("Why, for the record and the audit log."),
});

export const baselineProposalSchema = named(
  "BaselineProposal",
  z.strictObject({
    runs: count.describe("Runs that were looked at; at most 50,000, the newest."),
    days: z.number(),
    candidates: z
      .array(baselineSchema)
      .describe("As they were learned; the same runs give the same one, whatever became of it."),
    unlearned: z
      .array(
        z.strictObject({
          cluster: z.string(),
          sku: z.string(),
          check: z.string(),
          cohort: z.string(),
          reason: z.string(),
        }),
      )
      .describe("From what nothing could be learned, and why."),
    activated: z.array(z.string()).describe("Candidates that are in force now."),
    refused: z
      .array(z.strictObject({ id: z.string(), reason: z.string() }))
      .describe("Candidates that the guard rails are against, and why."),
  }),
);

export type ProposeBody = z.output<typeof proposeBody>;
export type BaselineProposalView = z.output<typeof baselineProposalSchema>;
export type BaselineView = z.output<typeof baselineSchema>;
export type BaselineListView = z.output<typeof baselineListSchema>;
export type BaselineListQuery = z.output<typeof baselineListQuery>;

export interface BaselinesPort {
  list(query: BaselineListQuery): Promise<BaselineListView>;
  /** @throws E_NOT_FOUND */
  baseline(id: string): Promise<BaselineView>;
  /** One after the other. @throws E_BUSY; the signal's reason when its turn did not come before. */
  propose(
    wish: ProposeBody & { readonly actor: string },
    signal: AbortSignal,
  ): Promise<BaselineProposalView>;
  change(
    id: string,
    change: { readonly to: "active" | "rejected"; readonly actor: string; readonly reason: string },
  ): Promise<BaselineView>;
}
