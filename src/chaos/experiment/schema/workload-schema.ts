import { z } from "zod";
import { dtypes } from "../../../runtime/tensor/index.ts";
import { failurePolicies, preemptActions } from "../../plan/index.ts";
import { jobPresetNames } from "../presets/index.ts";
import { count, durationUs, longText, share, shortText } from "./values.ts";

const width = count(1, 65_536);
const dtype = z.enum(dtypes).optional().describe("Number format; f32 when not given.");
const activation = z.enum(["relu", "gelu", "silu"]).optional().describe("gelu when not given.");

const modelSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("mlp").describe("A perceptron that tells classes of points apart."),
      inputs: width.describe("Features of a sample."),
      hidden: z.array(width).max(100).describe("Widths of the layers between."),
      outputs: width.describe("Classes."),
      activation,
      dtype,
    }),
    z.strictObject({
      kind: z.literal("transformer").describe("Copies or reverses sequences."),
      task: z.enum(["copy", "reverse"]).optional().describe("What it learns; copy."),
      vocabulary: width.describe("Tokens there are."),
      positions: width.describe("Tokens in a sequence."),
      width: width.describe("Of the residual stream."),
      heads: width.describe("Of attention."),
      blocks: count(0, 1000).describe("Layers of attention and perceptron."),
      hidden: width.optional().describe("Of the perceptrons."),
      norm: z.enum(["layer", "rms"]).optional().describe("How activations are normalised."),
      activation,
      tied: z.boolean().optional().describe("Embedding and output share their weights."),
      bias: z.boolean().optional().describe("Whether affine maps have one."),
      dtype,
    }),
  ])
  .describe("What is trained, in place of a preset.");

const rate = z.number().describe("Step width.");
const optimizerSchema = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("sgd").describe("Stochastic gradient descent."),
      learningRate: rate,
      momentum: z.number().optional().describe("Share of the last update that goes on."),
      weightDecay: z.number().optional().describe("Pull towards zero."),
    }),
    z.strictObject({
      kind: z.literal("adamW").describe("Adam with decoupled weight decay."),
      learningRate: rate,
      beta1: z.number().optional().describe("Memory of the first moment."),
      beta2: z.number().optional().describe("Memory of the second moment."),
      epsilon: z.number().optional().describe("Keeps the division away from zero."),
      weightDecay: z.number().optional().describe("Pull towards zero."),
    }),
  ])
  .describe("How parameters follow gradients.");

const checkpointSchema = z
  .strictObject({
    every: count(0).optional().describe("Steps between saves; 0 saves nothing."),
    keep: count(1, 10_000).optional().describe("Committed checkpoints that stay; 3."),
    asynchronous: z.boolean().optional().describe("The job goes on while a snapshot is written."),
  })
  .describe("When the job saves.");

const policySchema = z
  .strictObject({
    onFailure: z
      .enum(failurePolicies)
      .optional()
      .describe("What the job does when a part of it is lost; drainThenResume."),
    restarts: count(0, 100_000).optional().describe("More recoveries than this end the job; 3."),
    resumeAfter: durationUs()
      .optional()
      .describe("pauseForManual: when the person of this experiment says go on; never."),
    onPreempt: z.enum(preemptActions).optional().describe("At the notice; checkpointThenExit."),
    grace: durationUs().optional().describe("From the notice to the end; 30s."),
    compareEvery: count(0)
      .optional()
      .describe("Ranks compare what they hold after every so many steps; 0, never."),
  })
  .describe("What the job does when a part of it is lost.");

const paceSchema = z
  .strictObject({
    compute: durationUs().optional().describe("One step of one rank, without any exchange; 1ms."),
    jitter: share.optional().describe("Relative spread of that; 0.02."),
    start: durationUs().optional().describe("From the order to start a process to its hello."),
    rendezvous: durationUs().optional().describe("The ranks of a generation meet."),
    save: durationUs().optional().describe("One rank writes its part."),
    load: durationUs().optional().describe("One rank reads its part."),
    repair: durationUs().optional().describe("A lost node is back; never within the run."),
  })
  .describe("How long things take, in the simulator alone: real worlds take as long as they take.");

export const meshSchema = z
  .strictObject({
    dp: count(1, 65_536).optional().describe("Data-parallel replicas."),
    tp: count(1, 65_536).optional().describe("Ranks that share each layer."),
    pp: count(1, 65_536).optional().describe("Pipeline stages."),
  })
  .describe("Ranks along each axis; those not given are 1. tp varies fastest, then pp, then dp.");

const trainingSchema = z.strictObject({
  kind: z.literal("training").describe("The built-in job: it learns for real."),
  preset: z.enum(jobPresetNames).optional().describe("A model with optimizer and batch; small."),
  model: modelSchema.optional(),
  optimizer: optimizerSchema.optional(),
  batch: width.optional().describe("Samples in a step, over all ranks."),
  microBatches: width.optional().describe("Parts that follow each other through the pipeline."),
  seed: z.union([z.string(), z.number()]).optional().describe("Of parameters and data."),
  accumulate: z.literal("exact").optional().describe("Sums are exact: the bits fit every mesh."),
  lossScale: z
    .strictObject({
      initial: z.number().optional().describe("A power of two."),
      growthSteps: count(0).optional().describe("Doubled after so many good steps."),
    })
    .optional()
    .describe("Gradients times a power of two on their way back."),
  data: z
    .strictObject({
      samples: count(1, 2 ** 30)
        .optional()
        .describe("In an epoch."),
      noise: share.optional().describe("Random changes of the inputs."),
    })
    .optional()
    .describe("What it learns from."),
  mesh: meshSchema.optional(),
  steps: count(1, 1_000_000_000).describe("Steps to do."),
  checkpoint: checkpointSchema.optional(),
  policy: policySchema.optional(),
  numerics: z
    .enum(["real", "timing"])
    .optional()
    .describe("timing counts without training and proves nothing about values; real."),
  pace: paceSchema.optional(),
});

const inferenceSchema = z.strictObject({
  kind: z.literal("inference").describe("Replicas that answer requests."),
  replicas: count(1, 65_536).describe("Servers that answer."),
  requests: count(1, 1_000_000_000).describe("Requests in all."),
  rate: z.number().positive().max(1e9).describe("Requests that arrive in a second."),
  service: durationUs({ min: 1 }).optional().describe("To answer one; 2ms."),
  timeout: durationUs({ min: 1 }).optional().describe("Then another replica is asked; 1s."),
  attempts: count(1, 1000).optional().describe("Replicas that are asked at most; 3."),
  start: durationUs().optional().describe("Until a new replica answers; 300ms."),
  seed: z.string().min(1).max(200).optional().describe("Of the requests."),
});

const commandSchema = z.strictObject({
  kind: z.literal("command").describe("Any program that prints its progress."),
  command: z
    .array(z.string().max(4096))
    .min(1)
    .max(256)
    .refine(([first = ""]) => first !== "", { error: "names no program" })
    .describe("Program and arguments; no shell."),
  env: z.record(z.string().max(200), z.string().max(32_768)).optional().describe("Variables."),
  cwd: longText.optional().describe("Where it runs, from the folder of this file; that folder."),
  units: count(1, 1_000_000_000).optional().describe("Units to count; the program ends itself."),
  workers: z
    .strictObject({ match: longText.describe("A regular expression of their command lines.") })
    .optional()
    .describe("What may be broken; the program itself when not given."),
});

const podsSchema = z.strictObject({
  kind: z.literal("pods").describe("Pods that somebody runs."),
  namespace: shortText.describe("Where they are."),
  selector: z.string().min(1).max(1000).describe("Which labels they have."),
  progress: z.boolean().optional().describe("Their logs have lines of progress; false."),
});

const slurmSchema = z.strictObject({
  kind: z.literal("slurm").describe("A job that somebody runs under Slurm."),
  job: z
    .union([count(1, 2 ** 32), shortText])
    .describe("Its number, or its name; of a name the newest that is not over."),
  user: shortText.optional().describe("Whose it is; your own when not given."),
  output: longText
    .startsWith("/", { error: "must be an absolute path" })
    .optional()
    .describe("The file with its lines of progress; without it a look at the job is a step."),
});

export const workloadSchema = z
  .discriminatedUnion("kind", [
    trainingSchema,
    inferenceSchema,
    commandSchema,
    podsSchema,
    slurmSchema,
  ])
  .describe("What runs while things break.");

export type WorkloadGiven = z.output<typeof workloadSchema>;
export type TrainingGiven = z.output<typeof trainingSchema>;
