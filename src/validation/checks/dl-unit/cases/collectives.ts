import { formatBytes } from "../../../../platform/units/index.ts";
import type { CollectiveOp } from "../../../../runtime/dist/time-model/types.ts";
import {
  type MeasuredSize,
  measureCollective,
  type RankTimes,
} from "../../../../runtime/ranks/index.ts";
import type { EngineTensor } from "../engine/engine.ts";
import type { MetDevices } from "../group/device-group.ts";
import type { Problem } from "../verify/style.ts";
import {
  aloneReason,
  type Bench,
  type CaseFigure,
  type CaseOutcome,
  type DlCase,
  type PlanRequest,
  sizeOf,
} from "./case.ts";

const kib = 2 ** 10;
const mib = 2 ** 20;
const gib = 2 ** 30;

const ops = ["all-reduce", "reduce-scatter", "all-gather", "all-to-all"] as const;
const dtypes = ["bf16", "f32"] as const;
const warmUp = 3;
const blockBytes = 4096;

/** The figure, which is renamed after what NCCL says it used. */
export const busbwFigure = "busbw";

/**
 * Data between all devices, whose sums are integers that every format holds: each device compares every
 * element that it gets, so that all have the same when none finds a wrong one.
 */
export const collectiveCase: DlCase = {
  name: "collectives",
  title: "Collectives between the devices of the node",
  styles: ["exact"],
  plan: (request) => {
    const sizes = sizesOf(request);
    const iterations = request.iterations ?? (request.engine === "cuda" ? 20 : 5);
    return {
      name: "collectives",
      key: `collectives ${sizes.map((bytes) => formatBytes(bytes)).join(", ")}`,
      styles: ["exact"],
      unsupported: aloneReason,
      run: async (bench) => {
        const met = await bench.group.meet();
        const fitting = sizes.filter((bytes) => bytes <= met.bufferBytesMax);
        return measureAll(bench, { met, sizes: fitting, iterations, wanted: sizes.length });
      },
    };
  },
};

/** Whole blocks, the largest last. */
function sizesOf(request: PlanRequest): readonly number[] {
  const sizes = sizeOf(
    {
      cuda: { quick: [1 * mib, 256 * mib], standard: [1 * mib, 64 * mib, 1 * gib, 8 * gib] },
      cpu: { quick: [4 * kib, 256 * kib], standard: [64 * kib, 4 * mib] },
    },
    request,
  );
  const share = Math.min(1, request.scale ** 2);
  const scaledTo = (bytes: number) => Math.max(1, Math.round((bytes * share) / blockBytes));
  return [...new Set(sizes.map((bytes) => blockBytes * scaledTo(bytes)))];
}

interface CollectivePlan {
  readonly met: MetDevices;
  readonly sizes: readonly number[];
  readonly iterations: number;
  /** How many sizes there were before those without room were left out. */
  readonly wanted: number;
}

async function measureAll<T extends EngineTensor>(
  bench: Bench<T>,
  plan: CollectivePlan,
): Promise<CaseOutcome> {
  const { met, sizes, wanted } = plan;
  const problems: Problem[] = [];
  const figures: Record<string, CaseFigure> = {};
  const facts: Record<string, number | string> = {};
  for (const op of ops) {
    for (const dtype of dtypes) {
      const measured = await measureCollective({
        ...{ transport: met.transport, op, dtype, sizes, warmUp },
        iterations: plan.iterations,
        signal: bench.signal,
        share: (own) => {
          problems.push(...wrongIn(op, own));
          return met.world.gather(own, { what: `the times of ${op}` });
        },
      });
      const largest = measured.at(-1);
      if (largest === undefined) continue;
      facts[`${op} ${dtype} GB/s`] = Number(largest.busbwGBps.toPrecision(4));
      if (op === "all-reduce" && dtype === "bf16") {
        const name = bench.engine.name === "cuda" ? busbwFigure : `tcp_${busbwFigure}`;
        figures[name] = { samples: samplesOf(largest), unit: "GB/s", higherIsBetter: true };
      }
    }
  }
  facts["devices"] = met.world.worldSize;
  facts["sizes"] = sizes.map((bytes) => formatBytes(bytes)).join(", ");
  if (sizes.length < wanted)
    facts["leftOut"] = `${wanted - sizes.length} sizes, for want of memory`;
  return { problems, digests: {}, figures, facts };
}

/** Bus bandwidth of each run: the median's factor holds for all. */
function samplesOf({ timesUs, timeUs, busbwGBps }: MeasuredSize): readonly number[] {
  return timesUs.map((time) => (busbwGBps * timeUs) / time);
}

/** What this device itself found wrong; the others speak for themselves. */
function wrongIn(op: CollectiveOp, { wrong, elements, first }: RankTimes): readonly Problem[] {
  if (wrong === 0) return [];
  const text = `${wrong} of ${elements} elements that came out of ${op} are not what integer arithmetic gives; ${first ?? ""}`;
  return [{ style: "exact", text }];
}
