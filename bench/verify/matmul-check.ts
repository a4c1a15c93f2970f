import { createRng } from "../../src/platform/rng/index.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { ops, randn } from "../../src/runtime/tensor/index.ts";
import { createMatmulChecker } from "../../src/runtime/verify/checksums/index.ts";
import type { Bench, BenchMetric } from "../bench.ts";
import { median } from "../lib/median.ts";

const clock = createRealClock();
const fullSides = [1024, 2048] as const;
const quickSides = [256] as const;
/** A check is a few passes over three matrices, so its share falls with the side. */
const shareMax = 0.5;

export const bench: Bench = {
  name: "verify/matmul-check",
  description:
    "What the check of a product by random signs costs on processors beside the product itself, in turns, from f32 sums with a learnt threshold and from a bf16 product.",
  run: async ({ log, quick }) => {
    const metrics: BenchMetric[] = [];
    for (const side of quick ? quickSides : fullSides) {
      metrics.push(...measure(side, quick ? 3 : 9));
      log(`${side} x ${side}`);
    }
    return {
      metrics,
      notes: ["bf16 factors, one set of signs; the median of shares of each turn"],
    };
  },
};

function measure(side: number, turns: number): readonly BenchMetric[] {
  const make = (stream: string) => randn([side, side], { dtype: "bf16", seed: 1, stream });
  const [a, b] = [make("a"), make("b")];
  const calibration = { learnChecks: 2, learnLines: 2 };
  const checker = createMatmulChecker({ rng: createRng(1), calibration });
  const took = (work: () => unknown) => {
    const startMs = clock.monotonicMs();
    work();
    return clock.monotonicMs() - startMs;
  };
  const sums = ops.matmul(a, b, { dtype: "f32" });
  const rounded = sums.to("bf16");
  for (let at = 0; at < 3; at++) checker.check(a, b, sums);
  const shares: { readonly sums: number; readonly rounded: number }[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const productMs = took(() => ops.matmul(a, b, { dtype: "f32" }));
    shares.push({
      sums: took(() => checker.check(a, b, sums)) / productMs,
      rounded: took(() => checker.check(a, b, rounded)) / productMs,
    });
  }
  const metric = (name: string, values: readonly number[]): BenchMetric => ({
    name: `${name}, ${side} x ${side}, to the product`,
    value: median(values),
    unit: "x",
    provenance: "measured",
    better: "lower",
    limit: shareMax,
  });
  return [
    metric(
      "check of f32 sums",
      shares.map((one) => one.sums),
    ),
    metric(
      "check of a bf16 product",
      shares.map((one) => one.rounded),
    ),
  ];
}
