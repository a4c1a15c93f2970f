import { createHash } from "node:crypto";
import { createRng } from "../../../../../platform/rng/index.ts";
import { fromValues } from "../../../../../runtime/tensor/index.ts";
import type { DlEngine, EngineTensor } from "../../engine/engine.ts";
import type { Problem } from "../../verify/style.ts";
import {
  type Bench,
  type CaseOutcome,
  corruptionIn,
  type DlCase,
  type PlanRequest,
  scaled,
  sizeOf,
} from "../case.ts";
import { type ModelSize, type Parameters, startParameters } from "./parameters.ts";
import { type TrainingData, trainStep } from "./train-step.ts";

const styles = ["repeat", "golden", "tolerance"] as const;
/** The weights are hashed after every so many steps, the loss after each. */
const hashEvery = 10;

/** A small decoder that is trained for some steps on data that stays the same. */
export const transformerCase: DlCase = {
  name: "transformer",
  title: "Training a small transformer for 50 steps",
  styles,
  plan: (request) => {
    const size = modelSize(request);
    const { batch, positions, vocabulary, width, blocks, steps, dtype } = size;
    const shape = `${blocks} blocks of width ${width}, ${batch}x${positions} of ${vocabulary} tokens`;
    return {
      name: "transformer",
      key: `transformer ${shape}, ${steps} steps ${dtype}`,
      styles,
      unsupported: () => undefined,
      run: (bench) => train(bench, size),
    };
  },
};

function modelSize(request: PlanRequest): ModelSize {
  const size = sizeOf<ModelSize>(
    {
      cuda: {
        quick: { ...cuda, batch: 4, positions: 512, width: 1024, heads: 8, hidden: 4096 },
        standard: { ...cuda, batch: 4, positions: 1024, width: 4096, heads: 32, hidden: 16384 },
      },
      cpu: {
        quick: { ...cpu, batch: 2, positions: 16, width: 32, heads: 2, hidden: 64 },
        standard: { ...cpu, batch: 4, positions: 32, width: 64, heads: 4, hidden: 128 },
      },
    },
    request,
  );
  const { scale } = request;
  if (scale === 1) return size;
  const positions = scaled(size.positions, scale);
  // Heads keep their width, and a model has at least one.
  const heads = Math.max(1, Math.round(size.heads * scale));
  const width = heads * (size.width / size.heads);
  const hidden = width * (size.hidden / size.width);
  const vocabulary = Math.max(64, scaled(size.vocabulary, scale));
  const blocks = Math.max(2, Math.round(size.blocks * scale));
  const steps = scale < 1 ? Math.max(4, Math.round(size.steps * scale)) : size.steps;
  return { ...size, vocabulary, positions, heads, width, hidden, blocks, steps };
}

const cuda = { vocabulary: 4096, blocks: 4, steps: 50, dtype: "bf16" } as const;
const cpu = { vocabulary: 64, blocks: 2, steps: 50, dtype: "f32" } as const;

/** Trains twice from the same start: the second time must go the same way, bit by bit. */
async function train<T extends EngineTensor>(
  bench: Bench<T>,
  size: ModelSize,
): Promise<CaseOutcome> {
  const first = await trainOnce(bench, size, 0);
  const again = await trainOnce(bench, size, 1);
  const other = Object.keys(first.digests).find(
    (name) => first.digests[name] !== again.digests[name],
  );
  const text = `trained again from the same start, ${other} have other bits`;
  const samples = [first, again].flatMap(({ figures }) => figures["step_ms"]?.samples ?? []);
  return {
    problems: [
      ...first.problems,
      ...(other === undefined ? [] : [{ style: "repeat", text } as const]),
    ],
    digests: first.digests,
    figures: { step_ms: { samples, unit: "ms", higherIsBetter: false } },
  };
}

async function trainOnce<T extends EngineTensor>(
  bench: Bench<T>,
  size: ModelSize,
  repeat: number,
): Promise<CaseOutcome> {
  const { engine, seed, signal } = bench;
  const corruption = corruptionIn(bench.corruption, repeat);
  const altered = corruption?.kind === "altered-kernel";
  const of = altered ? engine.altered() : engine;
  return await engine.scopeAsync(async () => {
    const data = trainingData(engine, size, seed);
    let parameters = startParameters(engine, size, seed);
    const losses: number[] = [];
    const samples: number[] = [];
    const weights = createHash("sha256");
    for (let step = 1; step <= size.steps; step++) {
      const before = parameters;
      const [timeMs = 0] = await engine.timeEach(
        1,
        () => {
          const stepped = trainStep(of, { size, parameters: before, data, step });
          parameters = stepped.parameters;
          losses.push(stepped.loss);
        },
        signal,
      );
      engine.drop(
        Object.values(before).flatMap(({ values, mean, square }) => [values, mean, square]),
      );
      if (corruption?.kind === "flip-bit" && step === 2)
        corrupt(engine, parameters, corruption.bit);
      if (step > 1) samples.push(timeMs);
      if (step % hashEvery === 0 || step === size.steps) {
        for (const [name, { values }] of Object.entries(parameters)) {
          weights.update(`${step} ${name} ${engine.digest(values)}\n`);
        }
      }
    }
    return {
      problems: problemsOf(losses),
      digests: { losses: bitsOf(losses), weights: `sha256:${weights.digest("hex")}` },
      figures: { step_ms: { samples, unit: "ms", higherIsBetter: false } },
    };
  });
}

function trainingData<T extends EngineTensor>(
  engine: DlEngine<T>,
  { batch, positions, vocabulary }: ModelSize,
  seed: string,
): TrainingData<T> {
  const stream = createRng(seed).stream("dl-unit", "training data");
  const count = batch * positions;
  const draw = () =>
    engine.upload(
      fromValues(
        Int32Array.from({ length: count }, () => stream.int(vocabulary)),
        { dtype: "i32", shape: [count] },
      ),
    );
  return { tokens: draw(), targets: draw() };
}

function corrupt<T extends EngineTensor>(
  engine: DlEngine<T>,
  parameters: Parameters<T>,
  bit: number,
): void {
  const head = parameters["head"];
  if (head !== undefined) engine.flipBit(head.values, bit);
}

/** A model that learns the same few tokens by heart has a loss that falls. */
function problemsOf(losses: readonly number[]): readonly Problem[] {
  const first = losses[0] ?? Number.NaN;
  const last = losses.at(-1) ?? Number.NaN;
  const wild = losses.findIndex((loss) => !Number.isFinite(loss));
  if (wild >= 0) {
    return [{ style: "tolerance", text: `the loss of step ${wild + 1} is ${losses[wild]}` }];
  }
  if (last < first) return [];
  const text = `the loss went from ${first} to ${last} in ${losses.length} steps, and must fall`;
  return [{ style: "tolerance", text }];
}

/** The bits of every loss, in one digest. */
function bitsOf(losses: readonly number[]): string {
  const bytes = new DataView(new ArrayBuffer(8 * losses.length));
  for (const [at, loss] of losses.entries()) bytes.setFloat64(8 * at, loss, true);
  return `sha256:${createHash("sha256").update(new Uint8Array(bytes.buffer)).digest("hex")}`;
}
