import { z } from "zod";
import { provenances, verdicts } from "../../words.ts";
import { named } from "../api-schemas.ts";
import { defineRoute, type Route } from "../route.ts";

const count = z.int().min(0);

const runSchema = named(
  "RunInFlight",
  z.strictObject({
    runId: z.string(),
    node: z.string(),
    check: z.string(),
    state: z.enum(["planned", "submitted", "running", "cancelling"]),
    plannedAt: z.iso.datetime().describe("In the time of the cluster."),
  }),
);

const findingSchema = named(
  "NodeFinding",
  z.strictObject({
    node: z.string(),
    check: z.string(),
    verdict: z.enum(verdicts),
    reason: z.string().describe("One sentence with value and bound."),
    at: z.iso.datetime().describe("In the time of the cluster."),
  }),
);

export const clusterValidationSchema = named(
  "ClusterValidation",
  z.strictObject({
    name: z.string(),
    kind: z.enum(["kubernetes", "slurm", "local", "simulated"]),
    provenance: z
      .enum(provenances)
      .describe("What every figure of this cluster is: `measured` on hardware, or `simulated`."),
    about: z.string().describe("What this cluster is, in words."),
    speed: z.number().describe("How many times faster than real its time runs."),
    now: z.iso.datetime().describe("The cluster's time, which a simulated one has for itself."),
    state: z
      .enum(["opening", "failed", "starting", "waiting", "leading", "draining", "stopped"])
      .describe("`waiting`: another process leads. `failed`: see `problem`."),
    problem: z.string().nullable(),
    leader: z.string().nullable().describe("The process that leads; null when nobody is known to."),
    checks: z.strictObject({
      available: z.array(z.string()),
      unavailable: z.record(z.string(), z.string()).describe("Why each cannot run there."),
    }),
    nodes: z
      .strictObject({
        total: count,
        pass: count,
        warn: count,
        suspect: count,
        fail: count,
        unknown: count.describe("Unknown is never good."),
        notTested: count,
      })
      .describe("Each node once, by its newest runs, however old; `coverage` says what is fresh."),
    coverage: z.strictObject({
      staleAfterDays: z.number(),
      covered: count.describe("Nodes with complete evidence that is fresh enough."),
      overdueFree: count.describe("Seen to be free: they wait for their turn."),
      overdueBusy: count,
      overdueUntestable: count,
      overdueUnderTest: count.describe("A run of ours holds them."),
      overdueUnseen: count.describe("Nobody can tell whether they can be tested."),
      share: z.number().nullable().describe("Covered, of all nodes; null when there are none."),
    }),
    gpuHours: z.strictObject({
      today: z.number().describe("Of runs begun since midnight UTC of the cluster's time."),
      perDay: z.number().nullable().describe("The budget; null when there is none."),
    }),
    inFlight: z.strictObject({ count, max: count, runs: z.array(runSchema).max(100) }),
    findings: z
      .array(findingSchema)
      .describe("Failed and suspect nodes, newest first; at most 50."),
    troubles: z
      .array(z.strictObject({ step: z.string(), problem: z.string() }))
      .describe("What does not work now."),
  }),
);

export const validationSchema = named(
  "Validation",
  z.strictObject({
    enabled: z.boolean().describe("Whether this process validates at all."),
    clusters: z.array(clusterValidationSchema),
  }),
);

export type ClusterValidationView = z.output<typeof clusterValidationSchema>;
export type ValidationView = z.output<typeof validationSchema>;

/** Continuous validation as the API sees it. */
export interface ValidationPort {
  view(): Promise<ValidationView>;
}

export function validationRoutes(validation: ValidationPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/validation",
      summary: "What is known about the nodes of every cluster, and what is being tested.",
      access: "read",
      responses: { description: "The clusters, each apart.", schema: validationSchema },
      handle: async () => ({ json: await validation.view() }),
    }),
  ];
}
