import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import {
  actingSchema,
  count,
  moment,
  nodeUseSchema,
  provenanceSchema,
  standingSchema,
  verdictSchema,
} from "./common.ts";

const attentionKindSchema = z
  .enum([
    "failed-node",
    "suspect-node",
    "held-node",
    "incident",
    "breaker",
    "cluster-trouble",
    "baseline",
    "fault-left",
    "fault-api",
    "doctor",
  ])
  .describe(
    "What it is about; `fault-left`: an injection that could not be undone; `fault-api`: nobody can tell which are in force.",
  );

/** What a person has to look at, the most urgent first. */
export const attentionSchema = named(
  "Attention",
  z.strictObject({
    kind: attentionKindSchema,
    severity: z.enum(["critical", "warning", "note"]),
    title: z.string(),
    reason: z.string().describe("One sentence with value and bound."),
    cluster: z.string().nullable(),
    provenance: provenanceSchema
      .nullable()
      .describe("Of the cluster it is about; null: it is about none."),
    node: z.string().nullable(),
    since: moment.nullable(),
    link: z.string().describe("The page of the dashboard that says more."),
  }),
);

/** One day of a cluster, in its own time. */
export const trendDaySchema = named(
  "TrendDay",
  z.strictObject({
    day: z.iso.date(),
    runs: count,
    verdicts: z.record(verdictSchema, count).describe("Of the runs planned on this day."),
    covered: count
      .nullable()
      .describe("Nodes with complete fresh evidence at its end; null: not known."),
    nodes: count.nullable(),
    gpuHours: z.number().min(0),
  }),
);

export const clusterOverviewSchema = named(
  "ClusterOverview",
  z.strictObject({
    name: z.string(),
    kind: z.enum(["kubernetes", "slurm", "local", "simulated"]),
    provenance: provenanceSchema,
    about: z.string(),
    now: moment.describe("The cluster's time, which a simulated one has for itself."),
    speed: z.number(),
    state: z.enum(["opening", "failed", "starting", "waiting", "leading", "draining", "stopped"]),
    problem: z.string().nullable(),
    leader: z.string().nullable(),
    nodes: z.strictObject({
      total: count,
      byStanding: z.record(standingSchema, count),
      passStale: count.describe(
        "Of those that pass: evidence of some check is too old or missing.",
      ),
      byUse: z.record(nodeUseSchema, count),
      closedByUs: count.describe("Closed to users by Tessera."),
    }),
    coverage: z.strictObject({
      staleAfterDays: z.number(),
      covered: count,
      overdueFree: count.describe("Seen to be free: they wait for their turn."),
      overdueBusy: count,
      overdueUntestable: count,
      overdueUnderTest: count.describe("A run of ours holds them."),
      overdueUnseen: count.describe("Nobody can tell whether they can be tested."),
      share: z.number().nullable(),
    }),
    gpuHours: z.strictObject({ today: z.number(), perDay: z.number().nullable() }),
    inFlight: z.strictObject({ count, max: count }),
    acting: actingSchema,
    policy: z.string(),
    troubles: z.array(z.strictObject({ step: z.string(), problem: z.string() })),
    trend: z.array(trendDaySchema).max(31).describe("Oldest first; the last one is today."),
  }),
);

export const overviewSchema = named(
  "Overview",
  z.strictObject({
    at: moment,
    version: z.string(),
    validating: z.boolean().describe("Whether this process validates at all."),
    clusters: z.array(clusterOverviewSchema),
    attention: z
      .array(attentionSchema)
      .max(100)
      .describe("The most urgent first; of each kind at least the first ten."),
    attentionTotal: count,
    attentionCounts: z
      .array(
        z.strictObject({
          kind: attentionKindSchema,
          cluster: z.string().nullable(),
          provenance: provenanceSchema.nullable(),
          total: count,
        }),
      )
      .describe(
        "How many there are of each kind in each cluster, whether `attention` names them or not; the most urgent first.",
      ),
    attentionSimulated: count.describe("Of them: about simulated clusters."),
    experiments: z.strictObject({
      running: count,
      lastDay: z.strictObject({ pass: count, fail: count, inconclusive: count }),
    }),
    injections: z.strictObject({
      live: count.nullable().describe("Hardware faults in force; null where nobody can tell."),
    }),
    doctor: z.strictObject({ good: count, lacking: count, unknown: count }).nullable(),
  }),
);

export type AttentionView = z.output<typeof attentionSchema>;
export type TrendDayView = z.output<typeof trendDaySchema>;
export type ClusterOverviewView = z.output<typeof clusterOverviewSchema>;
export type OverviewView = z.output<typeof overviewSchema>;

export interface OverviewPort {
  overview(): Promise<OverviewView>;
}
