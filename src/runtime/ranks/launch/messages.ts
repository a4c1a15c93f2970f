import { z } from "zod";

/** What a worker says about itself to its launcher. */
export const workerHelloSchema = z.object({
  purpose: z.literal("worker"),
  rank: z.int().min(0),
  version: z.string().max(100),
});

/** What a worker says. */
export const fromWorkerSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("report"), report: z.unknown() }),
  z.object({ type: z.literal("completed"), value: z.unknown() }),
  z.object({
    type: z.literal("failed"),
    code: z.string().optional(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
]);

/** What the launcher says, first of all: what to do. */
export const startSchema = z.object({ type: z.literal("start"), input: z.unknown() });

/** What a worker is told on its standard input, which nobody else can read. */
export const orderSchema = z.object({
  launcher: z.string(),
  secret: z.string().min(1),
});
export type WorkerOrder = z.infer<typeof orderSchema>;

/** The largest input, report or value. */
export const launchFrameBytesMax = 128 * 2 ** 20;
