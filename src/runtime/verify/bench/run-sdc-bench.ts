import type { Rng } from "../../../platform/rng/index.ts";
import { type Clock, sleep } from "../../../platform/time/clock.ts";
import { ops, type Tensor } from "../../tensor/index.ts";
import { createMatmulChecker } from "../checksums/index.ts";
import { patterns } from "../corruption/index.ts";
import { type BaseProduct, baseProduct } from "./base-product.ts";
import { type BaseSigns, baseSigns } from "./base-signs.ts";
import { campaignOf, campaignRates } from "./campaign.ts";
import { measureCosts } from "./costs.ts";
import { matrixOf } from "./data.ts";
import { scoreBits, scorePattern } from "./score-products.ts";
import { scoreSites } from "./score-sites.ts";
import type { Seen } from "./see-changes.ts";
import { falseAlarms, learnThresholds, type Thresholds, watchAlarm } from "./thresholds.ts";
import {
  type BitScores,
  type DistributionName,
  distributionNames,
  type NoiseScores,
  type SdcBenchResult,
} from "./types.ts";

export interface SdcBenchOptions {
  readonly rng: Rng;
  readonly clock: Clock;
  /** Rows and columns. @default 1024 */
  readonly side?: number;
  /** Fresh clean products; it learns from others, as many as a calibration does. @default 20 */
  readonly products?: number;
  /** For each bit. @default 2000 */
  readonly bitTrials?: number;
  /** For each pattern and site. @default 400 */
  readonly patternTrials?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: {
    readonly done: number;
    readonly total: number;
    readonly note: string;
  }) => void;
}

/** Products that are corrupted again and again; more of them cost memory and change little. */
const heldMax = 8;
const operationsPerSecond = 100;
const costTurns = 7;
/** What a calibration learns from where nothing else is asked for. */
const learntMax = 8;

/**
 * Scores detectors of silent corruption on this machine: what they find by bit, pattern and place,
 * what alarms clean data raise, what they cost. All but times repeats with the same seed.
 */
export async function runSdcBench(options: SdcBenchOptions): Promise<SdcBenchResult> {
  const { rng, clock, side = 1024, products = 20, bitTrials = 2000, patternTrials = 400 } = options;
  const made = products + Math.min(products, learntMax);
  const steps = stepper(options, distributionNames.length * made + patterns.length + 3);
  const noise: NoiseScores[] = [];
  const bits: BitScores[] = [];
  let normal: readonly Seen[] = [];
  for (const distribution of distributionNames) {
    const { seen, scores } = await learn({ distribution, side, products, rng, steps });
    noise.push(scores);
    for (const format of ["f32", "bf16"] as const) {
      bits.push(scoreBits(seen, { distribution, format, trials: bitTrials, rng }));
    }
    if (distribution === "normal") normal = seen;
  }
  const scored = [];
  for (const pattern of patterns) {
    await steps(`pattern ${pattern.name}`);
    scored.push(scorePattern(normal, pattern, { trials: patternTrials, rng }));
  }
  await steps("places");
  const sites = scoreSites(normal, { trials: patternTrials, rng });
  await steps("costs");
  const set = { side, seed: rng.seed, set: "cost", at: 0, of: 1, kept: new Map() };
  const { a, b } = factorsOf("normal", set);
  const pair = { a: a.to("bf16"), b: b.to("bf16") };
  const costs = measureCosts(pair, { clock, stream: rng.stream("costs"), turns: costTurns });
  await steps("done");
  return {
    seed: rng.seed,
    side,
    products,
    bitTrials,
    patternTrials,
    uncalibrated: createMatmulChecker({ rng }).check(
      pair.a,
      pair.b,
      ops.matmul(pair.a, pair.b, { dtype: "f32" }),
    ).verdict,
    noise,
    bits,
    patterns: scored,
    sites,
    costs,
    campaign: {
      operationsPerSecond,
      rates: campaignRates,
      detectors: campaignOf(scored, { operationsPerSecond }),
    },
  };
}

type Steps = (note: string) => Promise<void>;

/** Says how far it is, lets others run, and stops when asked to. */
function stepper({ clock, signal, onProgress }: SdcBenchOptions, total: number): Steps {
  let done = 0;
  return async (note) => {
    onProgress?.({ done: Math.min(done++, total), total, note });
    await sleep(clock, 0, signal);
    signal?.throwIfAborted();
  };
}

async function learn(o: {
  readonly distribution: DistributionName;
  readonly side: number;
  readonly products: number;
  readonly rng: Rng;
  readonly steps: Steps;
}): Promise<{ readonly seen: readonly Seen[]; readonly scores: NoiseScores }> {
  const { distribution, side, products, rng, steps } = o;
  const stream = rng.stream("signs", distribution);
  const kept = new Map<string, Tensor>();
  const make = (set: string, at: number) => {
    const { a, b } = factorsOf(distribution, { side, seed: rng.seed, set, at, of: products, kept });
    const product = baseProduct(a, b);
    return { product, signs: baseSigns(product, stream) };
  };
  const clean: { readonly product: BaseProduct; readonly signs: BaseSigns }[] = [];
  for (let at = 0; at < Math.min(products, learntMax); at++) {
    await steps(`${distribution}: learns from clean products`);
    clean.push(slim(make("clean", at)));
  }
  const thresholds = learnThresholds(clean);
  const seen: Seen[] = [];
  const alarms: { readonly product: BaseProduct; readonly signs: BaseSigns }[] = [];
  for (let at = 0; at < products; at++) {
    await steps(`${distribution}: fresh clean products`);
    const fresh = make("fresh", at);
    alarms.push(slim(fresh));
    if (seen.length < heldMax) seen.push({ ...fresh, thresholds });
  }
  return { seen, scores: noiseOf(distribution, thresholds, alarms) };
}

/** Without the matrices: what counting alarms needs, in a thousandth of the memory. */
function slim({ product, signs }: { readonly product: BaseProduct; readonly signs: BaseSigns }) {
  const none = new Float32Array(0);
  const { factors, sums, rounded } = product;
  const empty = { rows: sums.rows, columns: sums.columns, values: none } as const;
  return {
    signs,
    product: {
      ...product,
      factors: { ...factors, a: none, b: none },
      sums: { ...empty, format: sums.format },
      rounded: { ...empty, format: rounded.format },
    },
  };
}

function noiseOf(
  distribution: DistributionName,
  thresholds: Thresholds,
  fresh: readonly { readonly product: BaseProduct; readonly signs: BaseSigns }[],
): NoiseScores {
  const alarms = fresh.filter(({ product }) => watchAlarm(thresholds.watch, product)).length;
  return {
    distribution,
    cleanMax: thresholds.cleanMax,
    falseAlarms: falseAlarms(fresh, thresholds),
    watchAlarms: { found: alarms, trials: fresh.length },
  };
}

/** A pair of factors; about a root of as many matrices as there are pairs are made, and combined. */
function factorsOf(
  distribution: DistributionName,
  o: {
    readonly side: number;
    readonly seed: string;
    readonly set: string;
    readonly at: number;
    readonly of: number;
    readonly kept: Map<string, Tensor>;
  },
): { readonly a: Tensor; readonly b: Tensor } {
  const wide = Math.ceil(Math.sqrt(o.of));
  const key = (side: "a" | "b", at: number) => `${o.set} ${side} ${at}`;
  const get = (stream: string) => {
    const made = o.kept.get(stream) ?? matrixOf(distribution, o.side, { seed: o.seed, stream });
    o.kept.set(stream, made);
    return made;
  };
  return { a: get(key("a", o.at % wide)), b: get(key("b", Math.floor(o.at / wide))) };
}
