import { z } from "zod";
import { collectiveOps } from "../../dist/time-model/types.ts";
import { measureCollective } from "../measure/measure-collective.ts";
import type { MeasuredSize } from "../measure/measurement.ts";
import { wireDTypes } from "../measure/wire-dtype.ts";
import type { RankTask } from "../ranks.ts";
import { joinWorld } from "../world/join-world.ts";
import { openTransport, transportKinds } from "./open-transport.ts";

/** What the ranks of a measured collective are told. */
export const collectiveInputSchema = z.object({
  op: z.enum(collectiveOps),
  sizes: z.array(z.number().min(0)).min(1).max(1000),
  dtype: z.enum(wireDTypes).default("f32"),
  root: z.int().min(0).default(0),
  warmUp: z.int().min(0).max(10_000).default(2),
  iterations: z.int().min(1).max(10_000).default(10),
  transport: z.enum(transportKinds).default("tcp"),
  /** How long nothing may move before a rank is named. */
  stallMs: z.number().positive().default(60_000),
  /** How long ranks may take to come. */
  joinMs: z.number().positive().default(300_000),
  /** Rehearsal: this rank dies in the middle. */
  lose: z.int().min(0).optional(),
});
export type CollectiveInput = z.input<typeof collectiveInputSchema>;

/** What each rank of a measured collective returns; the sizes are the same on all. */
export interface CollectiveMeasurement {
  readonly sizes: readonly MeasuredSize[];
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Measures a collective between the ranks of a run. Reports each size as it is known. */
export const collectiveTask: RankTask = async (context): Promise<CollectiveMeasurement> => {
  const input = collectiveInputSchema.parse(context.input);
  const { op, sizes, dtype, root, warmUp, iterations, stallMs, joinMs } = input;
  const world = await joinWorld({ ...context, timeoutMs: joinMs });
  const { clock, env, report } = context;
  const transport = await openTransport(input.transport, { world, clock, env, stallMs });
  try {
    const measured = await measureCollective({
      transport,
      op,
      sizes,
      dtype,
      root,
      warmUp,
      iterations,
      signal: world.signal,
      share: (own) => world.gather(own, { what: `the times of ${op}` }),
      onSize: (size) => {
        report({ bytes: size.bytes, timeUs: size.timeUs });
        if (input.lose === context.rank) process.kill(process.pid, "SIGKILL");
      },
    });
    return { sizes: measured, facts: transport.facts };
  } finally {
    await transport.close();
    await world.leave();
  }
};
