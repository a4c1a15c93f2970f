import { z } from "zod";
import { wireDTypes } from "../../../runtime/ranks/measure/wire-dtype.ts";

/** What the ranks are told. */
export const taskInputSchema = z.object({
  transport: z.enum(["nccl", "tcp"]),
  sizesBytes: z.array(z.number().int().positive()).min(1),
  iterations: z.number().int().positive(),
  warmUp: z.number().int().min(0),
  dtype: z.enum(wireDTypes),
  operationTimeoutMs: z.number().int().positive(),
  /** Ranks that share the memory of a GPU. */
  ranksPerGpu: z.number().int().positive(),
});
export type TaskInput = z.output<typeof taskInputSchema>;

const measuredSchema = z.object({
  bytes: z.number(),
  timesUs: z.array(z.number()),
  timeUs: z.number(),
  algbwGBps: z.number(),
  busbwGBps: z.number(),
  wrong: z.number(),
  elements: z.number(),
  firstWrong: z.string().optional(),
});
export type LoopbackSize = z.output<typeof measuredSchema>;

/** What every rank hands in. */
export const taskValueSchema = z.object({
  /** By size, ascending; the same on every rank. */
  measured: z.array(measuredSchema),
  /** Sizes that do not fit into the memory of the rank with the least. */
  leftOutBytes: z.array(z.number()),
  /** What that rank can give to one buffer of a collective. */
  bufferBytesMax: z.number(),
  /** Of the transport and this rank's GPU. */
  facts: z.record(z.string(), z.json()),
});
export type TaskValue = z.output<typeof taskValueSchema>;
