import type { Rng, RngStream } from "../../../platform/rng/index.ts";
import { fromValues, ops, randn, type Tensor } from "../../tensor/index.ts";
import { createCalibration } from "../calibration/index.ts";
import { checkAgreement, checkLinear } from "../checksums/check-collective.ts";
import { planSums, type RankSums, type SumPlan, sumsOf } from "../checksums/collective-sums.ts";
import { createMatmulChecker } from "../checksums/matmul-checker.ts";
import { type Grid, patternOf, withBits } from "../corruption/index.ts";
import { createScrubber } from "../scrub/index.ts";
import { detectorsThatSee, type Seen } from "./see-changes.ts";
import type { Score, SiteDetector, SiteName, SiteScores } from "./types.ts";

export const siteTitles: Readonly<Record<SiteName, string>> = {
  product: "in a product, once",
  "same-product": "in a product, always the same",
  reduce: "while ranks are summed",
  gather: "in one rank's copy of the sum",
  "at-rest": "in a weight at rest",
};

const ranks = 8;
const elements = 4096;
const cleanReductions = 16;

/** How often one flipped bit, any of 32, is found by where it flips. */
export function scoreSites(
  seen: readonly Seen[],
  { trials, rng }: { readonly trials: number; readonly rng: Rng },
): readonly SiteScores[] {
  return [
    ...productSites(seen, trials, rng),
    ...collectiveSites(trials, rng),
    atRest(seen, trials, rng),
  ];
}

const nobody: Readonly<Record<SiteDetector, null>> = {
  "signs-2": null,
  twice: null,
  linear: null,
  hash: null,
  scrub: null,
  watch: null,
};

function siteOf(site: SiteName, scores: Partial<Record<SiteDetector, Score>>): SiteScores {
  return { site, title: siteTitles[site], scores: { ...nobody, ...scores } };
}

function productSites(seen: readonly Seen[], trials: number, rng: Rng): readonly SiteScores[] {
  const stream = rng.stream("site", "product");
  const pattern = patternOf("single-bit");
  let [signs, twice, watch] = [0, 0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const one = seen[trial % seen.length] as Seen;
    const answer = detectorsThatSee(pattern.make(one.product.sums, stream), one);
    if (answer["signs-2"]) signs++;
    if (answer.twice) twice++;
    if (answer.watch) watch++;
  }
  const of = (found: number): Score => ({ found, trials });
  return [
    siteOf("product", { "signs-2": of(signs), twice: of(twice), watch: of(watch) }),
    // The second product of the same unit has the same error, so the two agree.
    siteOf("same-product", { "signs-2": of(signs), twice: of(0), watch: of(watch) }),
  ];
}

/** A sum over ranks in the order of a ring, with a bit flipped in a partial sum, or none. */
function ringSum(
  parts: readonly Float32Array[],
  flip?: { readonly at: number; readonly step: number; readonly bit: number },
): Float32Array {
  const out = Float32Array.from(parts[0] as Float32Array);
  for (let step = 1; step < parts.length; step++) {
    const part = parts[step] as Float32Array;
    for (let at = 0; at < out.length; at++) out[at] = (out[at] as number) + (part[at] as number);
    if (flip?.step === step) out[flip.at] = withBits(out[flip.at] as number, [flip.bit], "f32");
  }
  return out;
}

function collectiveSites(trials: number, rng: Rng): readonly SiteScores[] {
  const stream = rng.stream("site", "collective");
  const plan = planSums(elements, stream, { blockElements: 1024 });
  const reductions = Array.from({ length: cleanReductions }, (_, at) => partsOf(rng, at));
  const calibration = createCalibration({ learnChecks: cleanReductions, learnLines: 1 });
  const made = reductions.map((parts) => {
    const contributions = parts.map((part, rank) => sumsOf(rank, tensorOf(part), plan));
    const sum = ringSum(parts);
    const results = [sumsOf(0, tensorOf(sum), plan)];
    checkLinear({ contributions, results, calibration });
    return { parts, contributions, sum };
  });
  const score = { reduce: { linear: 0, hash: 0 }, gather: { linear: 0, hash: 0 } };
  for (let trial = 0; trial < trials; trial++) {
    const one = made[trial % made.length] as (typeof made)[number];
    const flip = { at: stream.int(elements), step: 1 + stream.int(ranks - 1), bit: stream.int(32) };
    const everywhere = tensorOf(ringSum(one.parts, flip));
    const wrong = Float32Array.from(one.sum);
    wrong[flip.at] = withBits(wrong[flip.at] as number, [flip.bit], "f32");
    for (const [phase, held] of [
      ["reduce", Array.from({ length: ranks }, () => everywhere)],
      ["gather", copies(one.sum, wrong, stream)],
    ] as const) {
      const results = resultsOf(held, plan);
      // A calibration that goes on learning would move from trial to trial.
      const { kappa = 0 } = calibration;
      const fixed = createCalibration({ learnChecks: 1, learnLines: 1, margin: 1 });
      fixed.judge({
        ratio: kappa,
        worst: Number.POSITIVE_INFINITY,
        profiles: [one.contributions[0]?.profile ?? zero],
        lines: 1,
        peak: 1,
      });
      if (
        checkLinear({ contributions: one.contributions, results, calibration: fixed }).verdict ===
        "corrupt"
      )
        score[phase].linear++;
      if (checkAgreement(results).verdict === "corrupt") score[phase].hash++;
    }
  }
  const of = (found: number): Score => ({ found, trials });
  return (["reduce", "gather"] as const).map((phase) =>
    siteOf(phase, { linear: of(score[phase].linear), hash: of(score[phase].hash) }),
  );
}

const zero = { spread: 0, balance: 0, zeros: 0, count: 0 } as const;

function partsOf(rng: Rng, at: number): readonly Float32Array[] {
  return Array.from({ length: ranks }, (_, rank) => {
    const made = randn([elements], { seed: rng.seed, stream: `reduction ${at} rank ${rank}` });
    return made.toRaw() as Float32Array;
  });
}

function tensorOf(values: Float32Array): Tensor {
  return fromValues(values, { dtype: "f32" });
}

function copies(right: Float32Array, wrong: Float32Array, stream: RngStream): readonly Tensor[] {
  const held = new Array<Tensor>(ranks).fill(tensorOf(right));
  return held.with(stream.int(ranks), tensorOf(wrong));
}

/** Ranks that hold the very same tensor share the work of one. */
function resultsOf(held: readonly Tensor[], plan: SumPlan): readonly RankSums[] {
  const known = new Map<Tensor, RankSums>();
  return held.map((tensor, rank) => {
    const sums = known.get(tensor) ?? sumsOf(rank, tensor, plan);
    known.set(tensor, sums);
    return { ...sums, rank };
  });
}

/**
 * A weight that changes after it was hashed. The product of the changed weight is right for it, so
 * checks of products see nothing; replicas on other ranks still have the old bits.
 */
function atRest(seen: readonly Seen[], trials: number, rng: Rng): SiteScores {
  const stream = rng.stream("site", "at-rest");
  const grid = (seen[0] as Seen).product.sums;
  const values = Float32Array.from(
    (grid.factors as NonNullable<Grid["factors"]>).b.subarray(0, 4 * elements),
  );
  const bytes = new Uint8Array(values.buffer);
  const scrubber = createScrubber({ blockBytes: 4096 });
  scrubber.register("weight", bytes);
  const plan = planSums(values.length, stream);
  const before = sumsOf(0, tensorOf(values), plan);
  let [scrub, hash] = [0, 0];
  const products = scoreWrongWeights(Math.ceil(trials / 8), rng);
  for (let trial = 0; trial < trials; trial++) {
    const bit = stream.int(8 * bytes.length);
    const flip = () => {
      bytes[bit >> 3] = (bytes[bit >> 3] as number) ^ (1 << (bit & 7));
    };
    flip();
    if (scrubber.scrub(bytes.length).findings.length === 1) scrub++;
    if (trial % 8 === 0) {
      const after = sumsOf(1, tensorOf(values), plan);
      if (checkAgreement([before, after]).verdict === "corrupt") hash++;
    }
    flip();
    scrubber.refresh("weight");
  }
  const of = (found: number): Score => ({ found, trials });
  return siteOf("at-rest", {
    ...products,
    hash: { found: hash, trials: Math.ceil(trials / 8) },
    scrub: of(scrub),
  });
}

const smallSide = 64;

/** Products with a weight that has changed: the check of the product, and making it twice. */
function scoreWrongWeights(trials: number, rng: Rng): Record<"signs-2" | "twice", Score> {
  const stream = rng.stream("site", "wrong-weight");
  const checker = createMatmulChecker({ rng, trials: 2, calibration: { learnChecks: 16 } });
  const given = (name: string) =>
    randn([smallSide, smallSide], { seed: rng.seed, stream: `wrong weight ${name}` });
  const b = given("b").toRaw() as Float32Array;
  const found = { "signs-2": 0, twice: 0 };
  for (let trial = -16; trial < trials; trial++) {
    const a = given(`a ${trial}`);
    const wrong = Float32Array.from(b);
    // Low bits: the changed weight is a number like the others.
    const [at, bit] = [stream.int(b.length), stream.int(24)];
    if (trial >= 0) wrong[at] = withBits(b[at] as number, [bit], "f32");
    const weight = fromValues(wrong, { shape: [smallSide, smallSide] });
    const product = ops.matmul(a, weight);
    const { verdict } = checker.check(a, weight, product);
    if (trial >= 0 && verdict === "corrupt") found["signs-2"]++;
    if (trial >= 0 && ops.matmul(a, weight).digest() !== product.digest()) found.twice++;
  }
  return { "signs-2": { found: found["signs-2"], trials }, twice: { found: found.twice, trials } };
}
