import { z } from "zod";

export const loopbackModes = ["auto", "ib", "socket", "tcp"] as const;
/** What carries the data, once it is decided. */
export type LoopbackMode = Exclude<(typeof loopbackModes)[number], "auto">;

/** Of the largest send buffer. */
export const sizeBytesMax = 16 * 2 ** 30;
export const ranksMax = 64;

export const optionsSchema = z.strictObject({
  mode: z
    .enum(loopbackModes)
    .default("auto")
    .describe(
      "What carries the data: `ib` through the InfiniBand cards, with proof; `socket` through NCCL's sockets; `tcp` between processes without GPUs; `auto` the first of these that the machine has.",
    ),
  ranks: z
    .number()
    .int()
    .min(1)
    .max(ranksMax)
    .optional()
    .describe("Processes. Default one for each GPU; without GPUs 2 to 4, as there are processors."),
  ranksPerGpu: z
    .number()
    .int()
    .min(1)
    .max(4)
    .default(1)
    .describe(
      "Processes on each GPU. From 2 on NCCL takes each for a machine of its own, so that one GPU alone can send through its card; its bandwidth is then shared.",
    ),
  sizesBytes: z
    .array(z.number().int().min(8).max(sizeBytesMax))
    .min(1)
    .max(64)
    .optional()
    .describe(
      "Sizes of the all-reduce. Default 8 B to 16 GiB by InfiniBand, less by sockets; what does not fit into the GPUs' memory is left out, and the facts say so.",
    ),
  iterations: z.number().int().min(1).max(10_000).optional().describe("Timed runs of each size."),
  warmUp: z.number().int().min(0).max(1000).optional().describe("Runs before them."),
  dtype: z
    .enum(["f32", "f64", "bf16", "f16", "i32", "i8", "u8"])
    .optional()
    .describe("Element type. Default bf16 on GPUs, f32 without."),
  hcas: z
    .array(z.string().regex(/^[\w.-]{1,63}(?::\d{1,3})?$/))
    .min(1)
    .max(64)
    .optional()
    .describe(
      "The cards under test, such as mlx5_0 or mlx5_0:1. Default those that NCCL_IB_HCA names exactly (=a,b), else the active InfiniBand ports of the highest rate.",
    ),
  sysfs: z
    .string()
    .min(1)
    .max(4096)
    .default("/sys")
    .describe("Where the host's sysfs is mounted, for the counters of the cards."),
  operationTimeoutMs: z
    .number()
    .int()
    .min(1000)
    .max(3_600_000)
    .default(120_000)
    .describe("How long one all-reduce, or the meeting of the ranks, may take."),
});

export type LoopbackOptions = z.output<typeof optionsSchema>;
