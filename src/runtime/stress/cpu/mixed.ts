import type { Clock } from "../../../platform/time/clock.ts";
import { bytesOf } from "../../tensor/dtype/index.ts";
import { fromValues, nn, rand, Tensor } from "../../tensor/index.ts";
import type { Corruption, StressEngine } from "../engine.ts";
import { flipBit } from "../flip-bit.ts";
import { createStepEngine } from "../step-engine.ts";
import { processorFacts, processorsName } from "./host-name.ts";

const stepsOfRound = 8;
const batch = 32;
const learningRate = 0.01;

export interface CpuMixedOptions {
  readonly clock: Clock;
  /** Features, and the width of the hidden layer. @default 256 */
  readonly size?: number;
  /** @default true */
  readonly verify?: boolean;
  readonly corrupt?: Corruption;
}

interface State {
  readonly params: nn.Params;
  readonly optimizer: nn.AdamWState;
}

type Digests = Readonly<Record<string, string>>;

/**
 * Training steps of a small perceptron: bf16 parameters and activations, f32 sums and moments. Every
 * few steps it starts over; a step must then leave the bits it left in a round before the run.
 */
export function createCpuMixed(options: CpuMixedOptions): StressEngine {
  const { clock, size = 256, verify = true, corrupt } = options;
  const { start, train } = createTraining(size);
  const known: Digests[] = [];
  if (verify) {
    let state = start;
    for (let at = 0; at < stepsOfRound; at++) {
      state = train(state);
      known.push(digestsOf(state.params));
    }
  }
  let state = start;
  let at = 0;
  const step = (iteration: number) => {
    const next = train(at === 0 ? start : state);
    const isBroken = corrupt?.iteration === iteration;
    state = isBroken ? { ...next, params: flipped(next.params, corrupt.bit) } : next;
    const stepOfRound = at;
    const wanted = known[stepOfRound];
    const found = wanted === undefined ? {} : digestsOf(state.params);
    const wrong = Object.keys(found).filter((name) => found[name] !== wanted?.[name]);
    // What comes after a wrong step is wrong too and says nothing new.
    at = wrong.length > 0 ? 0 : (stepOfRound + 1) % stepsOfRound;
    if (wrong.length === 0) return [];
    const detail = `other bits after step ${stepOfRound} of its round than before the run`;
    return [{ iteration, place: wrong.join(", "), detail }];
  };
  // Two layers, each with one product forward and two backward.
  const flops = 2 * 3 * 2 * batch * size * size;
  const how = verify ? "the bits after each compared with a known round" : "none verified";
  return createStepEngine(
    {
      device: "cpu",
      deviceName: processorsName(),
      description: `training steps in bf16 with f32 sums, width ${size}, ${how}`,
      work: { iteration: "step", amount: flops / 1e9, unit: "GFLOP" },
      verifies: verify,
      facts: { size, dtype: "bf16", batch, stepsOfRound, ...processorFacts() },
      step,
    },
    clock,
  );
}

function createTraining(size: number): {
  readonly start: State;
  readonly train: (state: State) => State;
} {
  const layers = nn.mlpLayers({ inputs: size, hidden: [size], outputs: size, dtype: "bf16" });
  const targets = Int32Array.from({ length: batch }, (_, row) => (7 * row) % size);
  const examples = {
    inputs: rand([batch, size], { dtype: "bf16", seed: "stress", stream: "inputs" }),
    targets: fromValues(targets, { dtype: "i32" }),
  };
  return {
    start: { params: nn.initParams(layers, "stress"), optimizer: nn.adamWStart },
    train: ({ params, optimizer }) => {
      const { gradients } = nn.lossAndGradients(layers, params, examples);
      const next = nn.adamWStep({ params, gradients, state: optimizer }, { learningRate });
      return { params: next.params, optimizer: next.state };
    },
  };
}

function digestsOf(params: nn.Params): Digests {
  return Object.fromEntries(
    Object.entries(params).map(([name, tensor]) => [name, tensor.digest()]),
  );
}

/** The same with one bit of the first parameter flipped. */
function flipped(params: nn.Params, bit: number): nn.Params {
  const [first] = Object.entries(params);
  if (first === undefined) return params;
  const [name, { dtype, shape, raw }] = first;
  const copy = raw.slice();
  flipBit(bytesOf(copy), bit);
  return { ...params, [name]: Tensor.over(copy, { dtype, shape }) };
}
