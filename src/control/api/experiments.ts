import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import type { Caller } from "../../platform/http/auth/caller.ts";
import { experimentOutcomes } from "../../platform/words.ts";
import { count, cursorParam, limitParam, moment, nextField, provenanceSchema } from "./common.ts";

export const experimentWorlds = ["sim", "host", "kubernetes", "slurm"] as const;

/** `interrupted`: the process that ran it ended before it did; its faults were taken back by whoever came next. */
export const experimentStates = [
  "waiting",
  "running",
  "stopping",
  "finished",
  "stopped",
  "failed",
  "interrupted",
] as const;

export const experimentRowSchema = named(
  "ExperimentRow",
  z.strictObject({
    id: z.string(),
    title: z.string(),
    world: z.enum(experimentWorlds),
    seed: z.string(),
    state: z.enum(experimentStates),
    outcome: z.enum(experimentOutcomes).nullable(),
    reason: z.string().nullable().describe("Why that outcome; or why it failed to run."),
    faults: z.array(z.string()).describe("Names in the catalogue, each once."),
    startedBy: z.string(),
    startedAt: moment,
    endedAt: moment.nullable(),
    provenance: provenanceSchema,
  }),
);

export const experimentListQuery = z.strictObject({
  state: z.enum(experimentStates).optional(),
  outcome: z.enum(experimentOutcomes).optional(),
  world: z.enum(experimentWorlds).optional(),
  limit: limitParam({ default: 50, max: 200 }),
  cursor: cursorParam,
});

export const experimentListSchema = named(
  "ExperimentList",
  z.strictObject({
    experiments: z.array(experimentRowSchema),
    next: nextField,
    worlds: z.array(
      z.strictObject({
        world: z.enum(experimentWorlds),
        allowed: z.boolean(),
        reason: z.string().describe("Why not, or what it touches."),
      }),
    ),
  }),
);

/** An experiment file that comes with Tessera, to start from. */
export const presetSchema = named(
  "ExperimentPreset",
  z.strictObject({
    name: z.string(),
    title: z.string(),
    mustFail: z.boolean().describe("A twin that shows that the test can fail."),
    faults: z.array(z.string()),
    text: z.string().describe("The file."),
  }),
);

export const presetListSchema = z.strictObject({ presets: z.array(presetSchema) });

export const startExperimentBody = z.strictObject({
  text: z.string().min(1).max(262_144).describe("An experiment file (YAML)."),
  world: z.enum(experimentWorlds).optional().describe("Instead of the file's own."),
  seed: z.string().min(1).max(200).optional(),
  dryRun: z.boolean().default(false).describe("Only the plan: nothing is broken, nothing is kept."),
});

/** What would happen, concretely. */
export const experimentPlanSchema = named(
  "ExperimentPlan",
  z.strictObject({
    title: z.string(),
    world: z.enum(experimentWorlds),
    seed: z.string(),
    faults: z.array(
      z.strictObject({ id: z.string(), fault: z.string(), target: z.string(), when: z.string() }),
    ),
    claims: z.array(z.string()).describe("What it must show to pass, in words."),
    refusals: z.array(z.string()).describe("Why this world cannot run it; none: it can."),
  }),
);

const seconds = z.number().nullable();

export const injectionSchema = z.strictObject({
  id: z.string(),
  fault: z.string(),
  target: z.string(),
  injectedS: seconds,
  effectS: seconds,
  effect: z.string().nullable(),
  revertedS: seconds,
});

export const recoverySchema = z.strictObject({
  faults: z.array(z.string()),
  path: z.string(),
  effectS: seconds,
  phases: z
    .array(z.strictObject({ phase: z.string(), endS: seconds }))
    .describe("In order: detect, isolate, reform, load, first, regain, steady."),
});

/** One thing that happened; `seq` counts up within the experiment. */
export const experimentEventSchema = named(
  "ExperimentEvent",
  z.strictObject({
    seq: count,
    atS: z.number().describe("From the start of the workload, in the world's time."),
    phase: z.enum(["before", "baseline", "method", "after", "judge"]),
    kind: z.string().describe("As in records of runs: generation, step, save, restore, detect, …"),
    text: z.string().describe("One line for people."),
    step: count.nullable(),
    units: z.number().nullable(),
  }),
);

export const rateSchema = z.strictObject({
  unit: z.string(),
  times: z.array(z.number()).max(2000).describe("Seconds; middles of windows."),
  withFaults: z.array(z.number().nullable()),
  usual: z.array(z.number().nullable()).describe("Of the run without faults."),
  dips: z.array(z.strictObject({ fromS: z.number(), toS: z.number(), depth: z.number() })),
});

export const metricSchema = z.strictObject({
  name: z.string(),
  title: z.string(),
  value: z.number().nullable(),
  unit: z.string(),
  better: z.enum(["higher", "lower"]).nullable(),
});

export const reproducerSchema = named(
  "Reproducer",
  z.strictObject({
    state: z.enum(["none", "running", "done", "failed"]),
    reason: z.string().nullable().describe("Why there is none, or why it failed."),
    runs: count,
    faultsBefore: count.nullable(),
    faultsAfter: count.nullable(),
    text: z.string().nullable().describe("The smallest experiment file that fails the same way."),
  }),
);

export const experimentDetailSchema = named(
  "ExperimentDetail",
  z.strictObject({
    ...experimentRowSchema.shape,
    text: z.string().describe("The file as it was started."),
    phase: z.string().nullable(),
    plan: experimentPlanSchema,
    injections: z.array(injectionSchema),
    residualFaults: z.array(z.string()),
    recoveries: z.array(recoverySchema),
    findings: z.array(
      z.strictObject({ property: z.string(), verdict: z.string(), reason: z.string() }),
    ),
    metrics: z.array(metricSchema),
    timeUse: z.array(z.strictObject({ use: z.string(), seconds: z.number() })),
    rate: rateSchema.nullable(),
    generations: z.array(
      z.strictObject({ fromS: z.number(), toS: z.number(), ranks: count, reason: z.string() }),
    ),
    saves: z.array(z.strictObject({ atS: z.number(), tag: z.string(), ok: z.boolean() })),
    endS: seconds,
    traceHash: z.string().nullable(),
    stateDigest: z.string().nullable(),
    signature: z.string().nullable(),
    replay: z.string().nullable().describe("The command that runs it again."),
    notes: z.array(z.string()),
    reproducer: reproducerSchema,
    eventsTotal: count,
  }),
);

export const experimentEventsQuery = z.strictObject({
  after: z.coerce.number().int().min(-1).max(1e9).default(-1),
  limit: limitParam({ default: 500, max: 2000 }),
});

export const experimentEventsSchema = named(
  "ExperimentEvents",
  z.strictObject({
    events: z.array(experimentEventSchema).describe("Oldest first."),
    last: z.int().describe("Ask with this as `after` for what comes next; -1 when there is none."),
    isOver: z.boolean(),
  }),
);

export type ExperimentRow = z.output<typeof experimentRowSchema>;
export type ExperimentListQuery = z.output<typeof experimentListQuery>;
export type ExperimentListView = z.output<typeof experimentListSchema>;
export type ExperimentPreset = z.output<typeof presetSchema>;
export type StartExperiment = z.output<typeof startExperimentBody>;
export type ExperimentPlanView = z.output<typeof experimentPlanSchema>;
export type ExperimentEventView = z.output<typeof experimentEventSchema>;
export type ExperimentDetailView = z.output<typeof experimentDetailSchema>;
export type ExperimentEventsView = z.output<typeof experimentEventsSchema>;
export type ReproducerView = z.output<typeof reproducerSchema>;

export interface ExperimentsPort {
  list(query: ExperimentListQuery): Promise<ExperimentListView>;
  presets(): Promise<readonly ExperimentPreset[]>;
  /**
   * What would happen.
   *
   * @throws E_EXPERIMENT and its kin for a file that cannot be read; E_HW_FORBIDDEN for hardware that the caller
   *   may not plan to break themselves
   */
  plan(request: StartExperiment, by: Caller, signal: AbortSignal): Promise<ExperimentPlanView>;
  /**
   * Begins in the background.
   *
   * @throws E_WORLD when the world is not allowed here or refuses the plan; E_HW_FORBIDDEN for hardware that the
   *   caller may not break themselves
   */
  start(request: StartExperiment, by: Caller, signal: AbortSignal): Promise<ExperimentRow>;
  experiment(id: string): Promise<ExperimentDetailView>;
  events(id: string, query: z.output<typeof experimentEventsQuery>): Promise<ExperimentEventsView>;
  /**
   * Ends it early, everything undone first; of one that is over, the search for a smaller one. Stopping twice is
   * stopping once.
   *
   * @throws E_ROLE_INSUFFICIENT for who may search and not break
   */
  stop(id: string, by: Pick<Caller, "name" | "role">): Promise<ExperimentRow>;
  /** Looks for the smallest experiment that fails the same way; simulated runs only. */
  minimise(id: string): Promise<ReproducerView>;
  report(id: string): Promise<string>;
}
