import type { CheckPlace } from "../../src/runtime/stress/cuda/index.ts";
import type { Bench } from "../bench.ts";
import { median } from "../lib/median.ts";
import {
  createProductRuns,
  gpuNote,
  measured,
  missingGpu,
  onGpu,
  type ProductRuns,
} from "./gpu.ts";

const extraPercentMax = 1.5;
const fullSide = 8192;
const quickSide = 256;

export const bench: Bench = {
  name: "cuda/checksum",
  description:
    "What it costs to verify every row of every product (8192 x 8192, bf16), in turns with products that nobody verifies: beside the next product, where that leaves the GPU free, and after the product.",
  requires: missingGpu,
  run: async ({ log, quick }) =>
    onGpu(async (device) => {
      const turns = quick ? 2 : 10;
      const turnMs = quick ? 400 : 2000;
      const side = quick ? quickSide : fullSide;
      const places: Readonly<Record<string, CheckPlace | undefined>> = {
        none: undefined,
        "beside the next product": "beside",
        "after the product": "after",
      };
      const rates = new Map<string, number[]>();
      let wrong = 0;
      const open: [string, ProductRuns][] = [];
      try {
        for (const [name, check] of Object.entries(places)) {
          const verify = check !== undefined;
          const given = check === undefined ? {} : { check };
          open.push([name, await createProductRuns({ device, side, verify, ...given })]);
        }
        for (let turn = 0; turn < turns; turn++) {
          for (const [name, runs] of open) {
            const done = await runs.run(turnMs);
            wrong += done.wrong;
            rates.set(name, [...(rates.get(name) ?? []), (1000 * done.tflop) / done.busyMs]);
          }
          log(`turn ${turn + 1} of ${turns}`);
        }
      } finally {
        for (const [, runs] of open) await runs.close();
      }
      if (wrong > 0) throw new Error(`${wrong} products were wrong`);
      return {
        metrics: metricsOf(rates, quick),
        notes: [
          gpuNote(),
          "each turn against the one of the same round without verification; the median of the rounds",
        ],
      };
    }),
};

function metricsOf(rates: ReadonlyMap<string, readonly number[]>, quick: boolean) {
  const plain = rates.get("none") ?? [];
  const limit = quick ? {} : { limit: extraPercentMax };
  const checked = [...rates].filter(([name]) => name !== "none");
  return [
    measured("not verified", median(plain), "TFLOP/s"),
    ...checked.flatMap(([name, own], index) => {
      const extra = own.map((rate, turn) => 100 * ((plain[turn] ?? Number.NaN) / rate - 1));
      const promise = { better: "lower", ...(index === 0 ? limit : {}) } as const;
      return [
        measured(`verified ${name}`, median(own), "TFLOP/s"),
        measured(`extra time, ${name}`, median(extra), "%", promise),
      ];
    }),
  ];
}
