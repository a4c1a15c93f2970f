import { z } from "zod";
import { dtypes } from "../../tensor/index.ts";
import type { JobOptions } from "../options.ts";

const count = z.int().min(1).max(65_536);
const dtype = z.enum(dtypes).optional();
const activation = z.enum(["relu", "gelu", "silu"]).optional();

const modelSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("mlp"),
    inputs: count,
    hidden: z.array(count).max(100),
    outputs: count,
    activation,
    dtype,
  }),
  z.strictObject({
    kind: z.literal("transformer"),
    task: z.enum(["copy", "reverse"]).optional(),
    vocabulary: count,
    positions: count,
    width: count,
    heads: count,
    blocks: z.int().min(0).max(1000),
    hidden: count.optional(),
    norm: z.enum(["layer", "rms"]).optional(),
    activation,
    tied: z.boolean().optional(),
    bias: z.boolean().optional(),
    dtype,
  }),
]);

const optimizerSchema = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("sgd"),
    learningRate: z.number(),
    momentum: z.number().optional(),
    weightDecay: z.number().optional(),
  }),
  z.strictObject({
    kind: z.literal("adamW"),
    learningRate: z.number(),
    beta1: z.number().optional(),
    beta2: z.number().optional(),
    epsilon: z.number().optional(),
    weightDecay: z.number().optional(),
  }),
]);

const jobSchema = z.strictObject({
  model: modelSchema,
  optimizer: optimizerSchema,
  batch: count,
  seed: z.union([z.string(), z.number()]),
  accumulate: z.enum(["exact", "chain"]).optional(),
  microBatches: count.optional(),
  lossScale: z
    .strictObject({ initial: z.number().optional(), growthSteps: z.int().min(0).optional() })
    .optional(),
  data: z
    .strictObject({
      samples: z
        .int()
        .min(1)
        .max(2 ** 30)
        .optional(),
      noise: z.number().min(0).max(1).optional(),
    })
    .optional(),
});

/** The options of a job as JSON. */
export function parseJobOptions(input: unknown): JobOptions {
  // What is left out is not there, so the optional keys that zod allows as undefined do not occur.
  return jobSchema.parse(input) as JobOptions;
}
