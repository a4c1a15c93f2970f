import { messageOf } from "../../src/platform/errors/index.ts";
import type { CudaDevice } from "../../src/runtime/cuda/index.ts";
import type { Bench } from "../bench.ts";
import { groups, type Pair } from "./agreement-cases.ts";
import { gpuNote, measured, missingGpu, onGpu } from "./gpu.ts";

type Log = (text: string) => void;

export const bench: Bench = {
  name: "cuda/agreement",
  description:
    "Every operation on the GPU against the same on the host: how many have the same bits, and the largest difference as a share of what is allowed.",
  requires: missingGpu,
  run: async ({ log }) =>
    onGpu(async (device) => {
      const made = Object.keys(groups).map((name) => pairsOf(name, device, log));
      const failed = made.filter((pairs) => pairs === undefined).length;
      const shares = made.flatMap((pairs) => (pairs ?? []).map((pair) => shareOf(pair, log)));
      const same = shares.filter((share) => share === 0).length;
      const wrong = failed + shares.filter((share) => !(share <= 1)).length;
      const atMost = (limit: number) => ({ better: "lower", limit }) as const;
      return {
        metrics: [
          measured("operations compared", shares.length, "operations"),
          measured("with the same bits", same, "operations"),
          measured("largest difference, of what is allowed", Math.max(...shares), "x", atMost(1)),
          measured("that disagree, and groups that fail", wrong, "operations", atMost(0)),
        ],
        notes: [gpuNote()],
      };
    }),
};

/** A group that throws is named and counts as failed; the others are still compared. */
function pairsOf(name: string, device: CudaDevice, log: Log): readonly Pair[] | undefined {
  try {
    return groups[name]?.(device);
  } catch (error) {
    log(`${name} FAILED: ${messageOf(error)}`);
    return undefined;
  }
}

/** The largest difference of a pair as a share of what is allowed: 0 for the same bits. */
function shareOf({ name, host, gpu, tolerance }: Pair, log: Log): number {
  const expected = host.toNumbers();
  const found = gpu.toHost().toNumbers();
  if (gpu.toHost().digest() === host.digest()) return 0;
  let largest = 0;
  let difference = expected.length === found.length ? 0 : Number.POSITIVE_INFINITY;
  for (const [at, value] of expected.entries()) {
    largest = Math.max(largest, Math.abs(value));
    difference = Math.max(difference, Math.abs(value - (found[at] ?? Number.NaN)));
    if (Number.isNaN(found[at]) !== Number.isNaN(value)) difference = Number.POSITIVE_INFINITY;
  }
  const share = difference / largest / tolerance;
  if (!(share <= 0.5))
    log(`${name}: ${difference} of ${largest}, ${share.toFixed(2)} of what is allowed`);
  return Number.isNaN(share) ? Number.POSITIVE_INFINITY : share;
}
