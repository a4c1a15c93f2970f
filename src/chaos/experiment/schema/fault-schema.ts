import { z } from "zod";
import { faultNames } from "../../fault/fault-names.ts";
import { axisName, count, durationUs, shortText } from "./values.ts";

/** Ranks or nodes that a file may name one by one. */
const listMax = 65_536;
const rank = count(0, listMax);
const ranks = z.array(rank).min(1).max(listMax);
const place = z.union([rank, z.literal("*")]);
const meshPlace = z.strictObject({
  dp: place.optional().describe("Index along dp, or * for all."),
  tp: place.optional().describe("Index along tp, or * for all."),
  pp: place.optional().describe("Index along pp, or * for all."),
});

export const randomKinds = [
  "ranks",
  "devices",
  "nodes",
  "racks",
  "replicas",
  "pods",
  "jobNodes",
] as const;

const targetShape = {
  rank: rank.describe("One rank, its process and its device."),
  ranks: ranks.describe("Several ranks."),
  device: rank.describe("One device of the fleet: that on which the rank of this number starts."),
  devices: ranks.describe("Several devices."),
  node: rank.describe("All of a node."),
  nodes: ranks.describe("Several nodes."),
  rack: rank.describe("All nodes of a rack."),
  mesh: meshPlace.describe("Ranks by their place; axes not given, and *, are all of the axis."),
  group: z
    .strictObject({
      axis: axisName.describe("The axis along which its ranks differ."),
      of: meshPlace.optional().describe("Which group; axes not given stand for every group."),
      ranks: ranks.optional().describe("The ranks themselves, in place of `of`."),
    })
    .describe("Ranks that exchange along one axis."),
  sides: z
    .array(ranks)
    .min(1)
    .max(1024)
    .describe("Ranks that reach only their own side; whom no side names are one more side."),
  link: z
    .strictObject({
      from: rank.describe("The rank that sends."),
      to: rank.describe("The rank that should receive."),
    })
    .describe("One direction between two ranks."),
  storage: z.literal(true).describe("Where checkpoints lie."),
  pod: z
    .strictObject({
      namespace: shortText.describe("Its namespace."),
      name: shortText.describe("Its name."),
    })
    .describe("One pod."),
  kubernetesNode: shortText.describe("A node of the cluster."),
  slurmJob: z.literal(true).describe("The job of the workload."),
  slurmNode: shortText.describe("A node of the Slurm cluster."),
  random: z
    .strictObject({
      count: count(1, listMax).describe("How many."),
      of: z.enum(randomKinds).describe("Of what."),
      among: meshPlace.optional().describe("Ranks alone: only those at these places."),
    })
    .describe("Chosen with the seed when the plan is made."),
};

export const targetSchema = z
  .strictObject(optionalAll(targetShape))
  .extend({
    asymmetric: z
      .boolean()
      .optional()
      .describe("With sides: only what goes from an earlier side to a later one is hit."),
  })
  .superRefine((given, context) => {
    const named = Object.entries(given).filter(
      ([key, value]) => key !== "asymmetric" && value !== undefined,
    );
    if (named.length === 1) return;
    const which = named.map(([key]) => `\`${key}\``).join(" and ");
    const message =
      named.length === 0
        ? `must name one of ${Object.keys(targetShape).join(", ")}`
        : `must name one thing, not ${which}`;
    context.addIssue({ code: "custom", message });
  })
  .meta({ description: "What is hit; exactly one of these.", minProperties: 1, maxProperties: 2 });

const triggerShape = {
  step: count(1, 1_000_000_000).describe("When the targets begin this step, counted from 1."),
  time: durationUs().describe("So long after training began."),
  collective: z
    .strictObject({
      axis: axisName.describe("Along which the group of the target exchanges."),
      nth: count(1, 1_000_000_000).describe("Which of its exchanges, from 1."),
    })
    .describe("When the first target is about to enter an exchange."),
  checkpoint: z
    .strictObject({
      nth: count(1).describe("Which save, from 1."),
      phase: z
        .enum(["write", "commit"])
        .describe("While shards are written, or between the last of them and the commit."),
    })
    .describe("In a save."),
  restore: count(1).describe("While the n-th restore of the run, from 1, reads."),
  probability: z
    .strictObject({
      perStep: z.number().min(0).max(1).optional().describe("Chance that it begins with a step."),
      perSecond: z.number().min(0).max(1000).optional().describe("Expected times in a second."),
    })
    .refine(({ perStep, perSecond }) => (perStep === undefined) !== (perSecond === undefined), {
      error: "must have perStep or perSecond, and not both",
    })
    .describe("By chance, decided with the seed when the plan is made."),
};

export const triggerSchema = z
  .strictObject(optionalAll(triggerShape))
  .superRefine((given, context) => {
    const named = Object.keys(given).filter(
      (key) => given[key as keyof typeof given] !== undefined,
    );
    if (named.length === 1) return;
    const message =
      named.length === 0
        ? `must name one of ${Object.keys(triggerShape).join(", ")}`
        : `must name one moment, not ${named.map((key) => `\`${key}\``).join(" and ")}`;
    context.addIssue({ code: "custom", message });
  })
  .meta({
    description: "When it begins; exactly one of these.",
    minProperties: 1,
    maxProperties: 1,
  });

const everySchema = z
  .strictObject({
    steps: count(1, 1_000_000_000).optional().describe("With `at: { step }`."),
    time: durationUs({ min: 1 }).optional().describe("With `at: { time }`."),
    collectives: count(1, 1_000_000_000).optional().describe("With `at: { collective }`."),
  })
  .refine((given) => Object.values(given).filter((one) => one !== undefined).length === 1, {
    error: "must have exactly one of steps, time and collectives",
  })
  .meta({
    description: "It happens again at this distance, `times` times in all.",
    minProperties: 1,
    maxProperties: 1,
  });

export const faultSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/, {
        error: "must be letters, digits, dots, hyphens and underscores",
      })
      .optional()
      .describe("Its name in the result; made from the fault when not given."),
    fault: z.enum(faultNames).describe("Which fault of the catalogue: `tessera chaos faults`."),
    target: z
      .union([targetSchema, z.array(targetSchema).min(1).max(1024)], {
        error: "must say what is hit, such as { rank: 1 }, or be a list of that",
      })
      .describe("What is hit."),
    at: triggerSchema,
    every: everySchema.optional(),
    times: count(1, 10_000).optional().describe("How often; 1."),
    for: durationUs({ min: 1 })
      .optional()
      .describe("Then it is undone; at the end of the run when not given."),
    params: z
      .record(z.string().max(100), z.unknown())
      .optional()
      .describe("What this fault takes: `tessera chaos faults` lists it."),
  })
  .superRefine(({ at, every, times }, context) => {
    const isChance = at.probability !== undefined;
    const problem = (path: string, message: string) =>
      context.addIssue({ code: "custom", path: [path], message });
    if (every !== undefined && times === undefined) {
      problem("every", "needs `times`: how often in all");
    }
    if ((times ?? 1) > 1 && every === undefined && !isChance) {
      problem("times", "needs `every`: the distance between two of them");
    }
    if (every === undefined) return;
    const fits = { steps: at.step, time: at.time, collectives: at.collective };
    for (const [unit, moment] of Object.entries(fits)) {
      const isGiven = every[unit as keyof typeof fits] !== undefined;
      if (isGiven && moment === undefined) {
        problem("every", `is in ${unit}, so \`at\` must be in ${unit} too`);
      }
    }
  })
  .describe("One thing that breaks.");

export const faultsSchema = z.array(faultSchema).max(10_000).describe("What breaks, and when.");

export type TargetGiven = z.output<typeof targetSchema>;
export type TriggerGiven = z.output<typeof triggerSchema>;
export type FaultGiven = z.output<typeof faultSchema>;

type OptionalAll<Shape extends Record<string, z.ZodType>> = {
  [K in keyof Shape]: z.ZodOptional<Shape[K]>;
};

/** The same fields, none of which must be there. */
function optionalAll<Shape extends Record<string, z.ZodType>>(shape: Shape): OptionalAll<Shape> {
  const entries = Object.entries(shape).map(([key, type]) => [key, type.optional()] as const);
  return Object.fromEntries(entries) as OptionalAll<Shape>;
}
