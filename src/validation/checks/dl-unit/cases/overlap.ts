import { formatBytes } from "../../../../platform/units/index.ts";
import type { PreparedCollective } from "../../../../runtime/ranks/index.ts";
import type { EngineTensor, SideLane } from "../engine/engine.ts";
import type { MetDevices } from "../group/device-group.ts";
import { leftFactor, rightFactor } from "../verify/expand.ts";
import { drawIntegerProduct } from "../verify/integer-product.ts";
import type { Problem } from "../verify/style.ts";
import {
  aloneReason,
  type Bench,
  type CaseOutcome,
  corruptionIn,
  type DlCase,
  type PlanRequest,
  scaled,
} from "./case.ts";
import { checkExactProduct } from "./check-exact.ts";

/** Products of `side` and an all-reduce, which take about equally long where links are fast. */
interface OverlapSize {
  readonly side: number;
  readonly products: number;
  readonly bytes: number;
}

const dtype = "bf16";

/** Products beside an all-reduce, as training has them: how much they slow each other down. */
export const overlapCase: DlCase = {
  name: "overlap",
  title: "Matrix products beside an all-reduce",
  styles: ["exact"],
  plan: (request) => {
    const size = sizeOfOverlap(request);
    const { side, products, bytes } = size;
    const iterations = request.iterations ?? (request.engine === "cuda" ? 20 : 3);
    return {
      name: "overlap",
      key: `overlap ${products}x(${side}x${side}x${side}) beside ${formatBytes(bytes)}`,
      styles: ["exact"],
      unsupported: aloneReason,
      run: (bench) => bench.engine.scopeAsync(() => runOverlap(bench, { ...size, iterations })),
    };
  },
};

function sizeOfOverlap({ engine, scale }: PlanRequest): OverlapSize {
  const share = Math.min(1, scale ** 2);
  const [side, bytes] = engine === "cuda" ? [8192, 2 ** 30] : [128, 2 ** 18];
  return {
    side: scaled(side, scale),
    products: 4,
    bytes: Math.max(1, Math.round((bytes * share) / 4096)) * 4096,
  };
}

type Plan = OverlapSize & { readonly iterations: number };

/** Milliseconds of one iteration on one device. */
interface Times {
  readonly products: number;
  readonly allReduce: number;
}

async function runOverlap<T extends EngineTensor>(
  bench: Bench<T>,
  plan: Plan,
): Promise<CaseOutcome> {
  const { engine, signal } = bench;
  const met = await bench.group.meet();
  const bytes = Math.min(plan.bytes, Math.floor(met.bufferBytesMax / 4096) * 4096);
  const lane = engine.openSideLane();
  const prepared = await met.transport.prepare({ op: "all-reduce", bytes, dtype });
  try {
    const work = productWork(bench, lane, plan);
    await prepared.refill();
    await engine.settle(signal);
    const how = { ...plan, met, lane, prepared, signal, multiply: work.multiply };
    const apart = await timeEach(how, { beside: false });
    const beside = await timeEach(how, { beside: true });
    const problems = [...work.verify(), ...(await wrongSums(prepared))];
    return { problems, digests: {}, ...(await judge({ apart, beside, met })) };
  } finally {
    prepared.close();
    lane.close();
  }
}

/** Integer products on the lane; the last of them is verified. */
function productWork<T extends EngineTensor>(bench: Bench<T>, lane: SideLane<T>, { side }: Plan) {
  const { engine, seed, corruption } = bench;
  const shape = { rows: side, inner: side, columns: side };
  const golden = drawIntegerProduct({ ...shape, productDType: dtype, seed: `${seed}/overlap` });
  const left = engine.upload(leftFactor(golden, side, dtype));
  const right = engine.upload(rightFactor(golden, side, dtype));
  let output: T | undefined;
  return {
    multiply: () => {
      if (output !== undefined) engine.drop([output]);
      output = lane.matmul(left, right, { dtype });
    },
    verify: (): readonly Problem[] => {
      const broken = corruptionIn(corruption, 0);
      if (output !== undefined && broken !== undefined) engine.flipBit(output, broken.bit);
      return checkExactProduct(engine, { output, golden, product: dtype, seed });
    },
  };
}

interface Timing<T extends EngineTensor> extends Plan {
  readonly met: MetDevices;
  readonly lane: SideLane<T>;
  readonly prepared: PreparedCollective;
  readonly signal: AbortSignal;
  readonly multiply: () => void;
}

/** After one that does not count; the devices meet before each. */
async function timeEach<T extends EngineTensor>(
  timing: Timing<T>,
  { beside }: { readonly beside: boolean },
): Promise<readonly Times[]> {
  const { met, lane, prepared, products, iterations, multiply, signal } = timing;
  const times: Times[] = [];
  for (let at = 0; at <= iterations; at++) {
    signal.throwIfAborted();
    await met.transport.barrier();
    const running = lane.time(products, multiply, signal);
    // A failure of the one must not leave the other's unheard.
    running.catch(() => {});
    if (!beside) await running;
    const { timeUs } = await prepared.run();
    if (at === 0) await running;
    else times.push({ products: await running, allReduce: timeUs / 1e3 });
  }
  return times;
}

async function wrongSums(prepared: PreparedCollective): Promise<readonly Problem[]> {
  const { wrong, elements, first = "" } = await prepared.verify();
  if (wrong === 0) return [];
  const text = `${wrong} of ${elements} elements of an all-reduce beside products are not what integer arithmetic gives; ${first}`;
  return [{ style: "exact", text }];
}

/** The figure is the time until both are done on the slowest device; how much they slow down is a fact. */
async function judge(o: {
  readonly apart: readonly Times[];
  readonly beside: readonly Times[];
  readonly met: MetDevices;
}): Promise<Pick<CaseOutcome, "figures" | "facts">> {
  const { apart, beside, met } = o;
  const own = beside.map(({ products, allReduce }) => Math.max(products, allReduce));
  const all = await met.world.gather(own, { what: "the times of the overlap" });
  const samples = own.map((_, at) => Math.max(...all.map((times) => times[at] ?? 0)));
  const slowDown = (what: keyof Times) => {
    const medianOf = (times: readonly Times[]) => median(times.map((one) => one[what]));
    return Number((medianOf(beside) / Math.max(1e-6, medianOf(apart))).toPrecision(3));
  };
  const apartMs = median(apart.map(({ products, allReduce }) => products + allReduce));
  return {
    figures: { overlap_ms: { samples, unit: "ms", higherIsBetter: false } },
    facts: {
      productsSlowDown: slowDown("products"),
      allReduceSlowDown: slowDown("allReduce"),
      oneAfterTheOtherMs: Number(apartMs.toPrecision(4)),
      besideMs: Number(median(own).toPrecision(4)),
      besideDeviationMs: Number(deviation(own).toPrecision(3)),
    },
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(square / Math.max(1, values.length));
}
