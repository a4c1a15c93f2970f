import { z } from "zod";
import {
  type ExperimentEventView,
  experimentEventSchema,
  experimentPlanSchema,
  experimentWorlds,
  injectionSchema,
} from "../../api/experiments.ts";

const common = {
  text: z.string(),
  /** Absent: the file's own. */
  seed: z.string().exactOptional(),
  /** Where the fault API is, for experiments with hardware faults. */
  faultApiUrl: z.string().exactOptional(),
  /** What stops and starts the daemon of a node of Slurm, each a program and its arguments. */
  slurmd: z.strictObject({ stop: z.array(z.string()), start: z.array(z.string()) }).exactOptional(),
};

const inWorld = { world: z.enum(experimentWorlds), folder: z.string() };

/** What a child is told on its standard input, all at once. */
export const childOrderSchema = z.discriminatedUnion("kind", [
  /** What would happen, and what speaks against it; asks a cluster where the world is one and is allowed. */
  z.strictObject({
    kind: z.literal("plan"),
    ...common,
    /** Absent: the file's own. */
    world: z.enum(experimentWorlds).exactOptional(),
    allowed: z.strictObject({
      worlds: z.array(z.enum(experimentWorlds)),
      outside: z.boolean(),
      /** Whether the fault API may be asked for whoever wants the plan. */
      hardware: z.boolean(),
    }),
  }),
  /** Leaves its result in the folder. */
  z.strictObject({ kind: z.literal("run"), ...common, ...inWorld }),
  /** Takes back what a process left in the cluster that carried this text out and is gone. */
  z.strictObject({ kind: z.literal("recover"), ...common }),
  z.strictObject({
    kind: z.literal("minimise"),
    ...common,
    ...inWorld,
    runsMax: z.int().min(3),
  }),
]);
export type ChildOrder = z.output<typeof childOrderSchema>;

/** Larger than any order: the body of a request is bounded, and JSON at most triples it. */
export const orderBytesMax = 4 * 2 ** 20;

export type EventWithoutNumber = Omit<ExperimentEventView, "seq">;

/** What a child says, a line each. */
export const childLineSchema = z.discriminatedUnion("line", [
  z.strictObject({
    line: z.literal("plan"),
    plan: experimentPlanSchema,
    /** The namespace in which it would break hardware by the fault API; absent where it would not. */
    hardwareIn: z.string().exactOptional(),
  }),
  z.strictObject({ line: z.literal("phase"), phase: z.string() }),
  z.strictObject({ line: z.literal("event"), event: experimentEventSchema.omit({ seq: true }) }),
  /** How a fault stands by now. */
  z.strictObject({ line: z.literal("injection"), injection: injectionSchema }),
  z.strictObject({ line: z.literal("attempt"), runs: z.int() }),
  z.strictObject({ line: z.literal("done") }),
  z.strictObject({
    line: z.literal("failed"),
    code: z.string(),
    message: z.string(),
    hint: z.string(),
    /** What its callers may see of its details. */
    shown: z.record(z.string(), z.unknown()).exactOptional(),
  }),
]);
export type ChildLine = z.output<typeof childLineSchema>;

/** What a child leaves in its folder. */
export const resultFiles = { detail: "detail.json", report: "report.html", made: "made.json" };

/** What came of a minimisation. */
export const madeSchema = z.strictObject({
  outcome: z.enum(["minimised", "passes", "flaky"]),
  runs: z.int(),
  faultsBefore: z.int(),
  faultsAfter: z.int(),
  isMinimal: z.boolean(),
  text: z.string().nullable(),
});
export type Made = z.output<typeof madeSchema>;
