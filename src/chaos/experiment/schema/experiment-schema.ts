import { z } from "zod";
import { defects } from "../../plan/index.ts";
import { worldNames } from "../../record/index.ts";
import { claimSchema, expectSchema } from "./expect-schema.ts";
import { faultsSchema } from "./fault-schema.ts";
import { outsideProbeSchema, probeSchema } from "./probe-schema.ts";
import { count, durationUs, shortText } from "./values.ts";
import { workloadSchema } from "./workload-schema.ts";

const fleetSchema = z
  .strictObject({
    nodes: count(1, 65_536).optional().describe("Those that the job needs; as few as hold it."),
    devicesPerNode: count(1, 1024).optional().describe("Devices of a node; 8, or all ranks."),
    nodesPerRack: count(1, 1024).optional().describe("Nodes of a rack; 8."),
    spareNodes: count(0, 65_536).optional().describe("Whole nodes beside those; 0."),
  })
  .describe("The machines. The rank of a number starts on the device of that number.");

const timeout = durationUs({ min: 1 }).optional();
const timeoutsSchema = z
  .strictObject({
    heartbeatEvery: timeout.describe("Workers say that they are there; a quarter of heartbeat."),
    heartbeat: timeout.describe("Silence after which a worker counts as lost; 2s."),
    collective: timeout.describe("A rank waits so long in an exchange; 5s."),
    rendezvous: timeout.describe("All ranks must have met by then; 30s."),
    save: timeout.describe("A checkpoint must be written by then; 10s."),
    load: timeout.describe("A checkpoint must be read by then; 10s."),
    drain: timeout.describe("From the order to stop until a worker is killed; 6s."),
  })
  .describe("`tessera chaos lint-timeouts` says whether they fit together.");

const limitsSchema = z
  .strictObject({
    duration: durationUs({ min: 1 }).optional().describe("The run is ended and judged then; 10m."),
    targets: count(0)
      .optional()
      .describe("Ranks or pods that may be hit at once; all ranks, or one pod."),
    targetsPercent: z
      .number()
      .min(0)
      .max(100)
      .optional()
      .describe("Per cent of the ranks or pods that may be hit at once, rounded down."),
    abortWhen: z
      .array(outsideProbeSchema)
      .max(20)
      .optional()
      .describe("Ends the run as soon as one of these holds; everything is undone."),
  })
  .describe("How far it may go.");

/** The file. Unknown keys are refused everywhere: a typing error must not become a default. */
export const experimentSchema = z.strictObject({
  $schema: z.string().max(1000).optional().describe("For editors."),
  title: shortText.describe("What it is about, in a few words."),
  description: z.string().max(10_000).optional().describe("Why, for people."),
  world: z
    .enum(worldNames)
    .optional()
    .describe("Where it runs unless --world says otherwise; sim."),
  seed: z
    .union([z.string().min(1).max(200), z.int()])
    .optional()
    .describe("Of all chance, unless --seed says otherwise; 0."),
  workload: workloadSchema,
  fleet: fleetSchema.optional(),
  timeouts: timeoutsSchema.optional(),
  faults: faultsSchema.optional(),
  claims: z.array(claimSchema).max(100).optional().describe("What the job is said to survive."),
  steadyState: z
    .array(probeSchema)
    .max(50)
    .optional()
    .describe("What must hold before, is watched while things break, and must hold again after."),
  expect: expectSchema.optional(),
  limits: limitsSchema.optional(),
  defects: z
    .array(z.enum(defects))
    .max(defects.length)
    .optional()
    .describe("Bugs planted on purpose in the recovery code: such an experiment must fail."),
});

/** An experiment as its file says it: units are read, nothing is chosen or completed. */
export type Experiment = z.output<typeof experimentSchema>;
/** What may be written in a file. */
export type ExperimentFile = z.input<typeof experimentSchema>;
