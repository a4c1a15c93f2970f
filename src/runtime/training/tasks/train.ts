import { z } from "zod";
import { createTensorWorld, joinWorld, type RankTask } from "../../ranks/index.ts";
import type { JobOptions, StepReport } from "../options.ts";
import { createRankTraining } from "../world-training.ts";
import { parseJobOptions } from "./job-schema.ts";

const inputSchema = z.object({
  job: z.unknown(),
  steps: z.int().min(0).max(1_000_000),
  /** How long nothing may move before a rank is named. */
  stallMs: z.number().positive().default(60_000),
  /** How long ranks may take to come. */
  joinMs: z.number().positive().default(300_000),
  /** Rehearsal: this rank dies after so many steps. */
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

/** Trains between the ranks of a run, each with its share of every batch. Reports each step. */
export const trainTask: RankTask = async (context): Promise<TrainResult> => {
  const { job, steps, stallMs, joinMs, lose } = inputSchema.parse(context.input);
  const joined = await joinWorld({ ...context, timeoutMs: joinMs });
  const world = createTensorWorld({ world: joined, clock: context.clock, stallMs });
  try {
    const losses: number[] = [];
    const onStep = ({ step, loss }: StepReport) => {
      losses.push(loss);
      context.report({ step, loss });
      if (lose?.rank === context.rank && lose.afterSteps === step) {
        process.kill(process.pid, "SIGKILL");
      }
    };
    const training = createRankTraining({ ...parseJobOptions(job), world, hooks: { onStep } });
    for (let done = 0; done < steps; done++) {
      context.signal.throwIfAborted();
      await training.step();
    }
    return { step: training.stepsDone, losses, digest: training.digest() };
  } finally {
    await world.close();
  }
};
