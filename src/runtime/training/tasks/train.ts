import { z } from "zod";
import { joinWorld, type RankTask } from "../../ranks/index.ts";
import type { JobOptions, TrainingHooks } from "../options.ts";
import { createRankTraining } from "../world-training.ts";
import { parseJobOptions } from "./job-schema.ts";

const axisSize = z.int().min(1).max(65_536);

const inputSchema = z.object({
  job: z.unknown(),
  steps: z.int().min(0).max(1_000_000),
  /** Ranks along each axis, numbered with `pp` fastest. */
  shape: z
    .strictObject({ dp: axisSize.default(1), tp: axisSize.default(1), pp: axisSize.default(1) })
    .optional(),
  /** How long nothing may move before a rank is named. */
  stallMs: z.number().positive().default(60_000),
  /** How long ranks may take to come. */
  joinMs: z.number().positive().default(300_000),
  /** Rehearsal: this rank dies after so many steps, in the middle of the next one. */
  lose: z.object({ rank: z.int().min(0), afterSteps: z.int().min(0) }).optional(),
});

/** What the ranks of a training job are told. */
export interface TrainInput extends Omit<z.input<typeof inputSchema>, "job"> {
  readonly job: JobOptions;
}

/** What each rank returns: the same on all. */
export interface TrainResult {
  readonly step: number;
  readonly losses: readonly number[];
  /** Over all parameters. */
  readonly digest: string;
}

/** Trains between the ranks of a run, cut as `shape` says. Reports each step. */
export const trainTask: RankTask = async (context): Promise<TrainResult> => {
  const { job, steps, shape, stallMs, joinMs, lose } = inputSchema.parse(context.input);
  const world = await joinWorld({ ...context, timeoutMs: joinMs });
  try {
    const losses: number[] = [];
    const hooks: TrainingHooks = {
      onStep: ({ step, loss }) => {
        losses.push(loss);
        context.report({ step, loss });
      },
      beforeCollective: ({ step, name }) => {
        const isDue = lose?.rank === context.rank && lose.afterSteps === step;
        if (isDue && name === "metrics") process.kill(process.pid, "SIGKILL");
      },
    };
    const { clock } = context;
    const training = createRankTraining({
      ...parseJobOptions(job),
      world,
      clock,
      stallMs,
      ...(shape === undefined ? {} : { shape }),
      hooks,
    });
    for (let done = 0; done < steps; done++) {
      context.signal.throwIfAborted();
      await training.step();
    }
    return { step: training.stepsDone, losses, digest: await training.digest() };
  } finally {
    await world.leave();
  }
};
