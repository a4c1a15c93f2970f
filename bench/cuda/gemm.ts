import type { Bench } from "../bench.ts";
import { createProductRuns, gpuNote, measured, missingGpu, onGpu } from "./gpu.ts";
import { startTorchPeer, type TorchPeer } from "./torch-peer.ts";

const shareOfTorchMin = 0.98;
const fullSide = 8192;
const quickSide = 256;

export const bench: Bench = {
  name: "cuda/gemm",
  description:
    "Products of 8192 x 8192 bf16 matrices through our library for 60 s, in turns of 5 s with PyTorch on the same GPU.",
  requires: missingGpu,
  run: async ({ log, quick }) => {
    const turns = quick ? 2 : 12;
    const turnMs = quick ? 500 : 5000;
    const side = quick ? quickSide : fullSide;
    const peer = await startTorchPeer(side);
    if (typeof peer === "string") log(peer);
    try {
      return await onGpu(async (device) => {
        const runs = await createProductRuns({ device, side, verify: false });
        try {
          return await inTurns({ runs, peer, turns, turnMs, side, log, quick });
        } finally {
          await runs.close();
        }
      });
    } finally {
      if (typeof peer !== "string") peer.stop();
    }
  },
};

async function inTurns(o: {
  readonly runs: Awaited<ReturnType<typeof createProductRuns>>;
  readonly peer: TorchPeer | string;
  readonly turns: number;
  readonly turnMs: number;
  readonly side: number;
  readonly log: (text: string) => void;
  readonly quick: boolean;
}) {
  const { runs, peer, turns, turnMs, side, log, quick } = o;
  const ours = { tflop: 0, busyMs: 0 };
  const theirs = { tflop: 0, busyMs: 0 };
  const rates: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const done = await runs.run(turnMs);
    ours.tflop += done.tflop;
    ours.busyMs += done.busyMs;
    const rate = rateOf(done);
    rates.push(rate);
    if (typeof peer === "string") continue;
    const answer = await peer.run(turnMs);
    const work = { tflop: (answer.count * 2 * side ** 3) / 1e12, busyMs: answer.busyMs };
    theirs.tflop += work.tflop;
    theirs.busyMs += work.busyMs;
    log(`turn ${turn + 1}: ours ${rate.toFixed(1)}, PyTorch ${rateOf(work).toFixed(1)} TFLOP/s`);
  }
  const limit = quick ? {} : { limit: shareOfTorchMin };
  return {
    metrics: [
      measured("bf16 products, ours", rateOf(ours), "TFLOP/s"),
      measured("slowest turn of ours", Math.min(...rates), "TFLOP/s"),
      ...(theirs.busyMs === 0
        ? []
        : [
            measured("bf16 products, PyTorch", rateOf(theirs), "TFLOP/s"),
            measured("ours to PyTorch", rateOf(ours) / rateOf(theirs), "x", limit),
          ]),
    ],
    notes: [
      gpuNote(),
      typeof peer === "string" ? peer : peer.version,
      `${turns} turns of ${turnMs / 1000} s each; times by events on the GPU, gaps included`,
    ],
  };
}

function rateOf({ tflop, busyMs }: { readonly tflop: number; readonly busyMs: number }): number {
  return (1000 * tflop) / busyMs;
}
