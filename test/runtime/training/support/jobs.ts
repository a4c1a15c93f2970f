import { Mesh } from "../../../../src/runtime/dist/index.ts";
import {
  createTrainingJob,
  type JobOptions,
  type TrainingJob,
  type TrainingOptions,
} from "../../../../src/runtime/training/index.ts";

/** A perceptron of four layers: two pairs for tensor parallel ranks, four stages at most. */
export const mlpJob: JobOptions = {
  model: { kind: "mlp", inputs: 2, hidden: [8, 8, 8], outputs: 2 },
  optimizer: { kind: "adamW", learningRate: 0.02 },
  batch: 8,
  seed: 42,
  data: { samples: 20 },
};

/** A transformer that is small enough for a property test. */
export const transformerJob: JobOptions = {
  model: {
    kind: "transformer",
    task: "reverse",
    vocabulary: 5,
    positions: 4,
    width: 8,
    heads: 4,
    blocks: 2,
    hidden: 8,
  },
  optimizer: { kind: "sgd", learningRate: 0.1, momentum: 0.9 },
  batch: 8,
  seed: "sequences",
  data: { samples: 50 },
};

export type Shape = Readonly<Partial<Record<"dp" | "tp" | "pp", number>>>;

export function meshOf(shape: Shape): Mesh {
  const axes = Object.keys(shape);
  const sizes = Object.values(shape);
  const devices = sizes.reduce((product, size) => product * size, 1);
  return new Mesh({ axes, shape: sizes, devices });
}

export function jobOn(
  shape: Shape,
  options: JobOptions & Partial<TrainingOptions> = mlpJob,
): TrainingJob {
  return createTrainingJob({ mesh: meshOf(shape), ...options });
}

/** The same job after so many steps. */
export async function trained(job: TrainingJob, steps: number): Promise<TrainingJob> {
  for (let done = 0; done < steps; done++) await job.step();
  return job;
}
