import { laws } from "./laws.ts";
import {
  type BestModel,
  type Fitted,
  type ModelFit,
  type ScalingFits,
  type ScalingModel,
  scalingModels,
} from "./types.ts";

/** Errors below this are no errors: a law met exactly must not beat another that is too. */
const meanSquareMin = 1e-12;
/** A law further off than this, on average, explains nothing. */
export const errorMeanMax = 0.15;

/** Akaike's criterion corrected for few points; undefined where they are too few to correct. */
export function aiccOf(options: {
  readonly count: number;
  /** Free values of the law; the variance is one more. */
  readonly freedoms: number;
  readonly meanSquare: number;
}): number | undefined {
  const { count, freedoms, meanSquare } = options;
  const values = freedoms + 1;
  if (count - values - 1 <= 0) return undefined;
  const misfit = count * Math.log(Math.max(meanSquareMin, meanSquare));
  return misfit + 2 * values + (2 * values * (values + 1)) / (count - values - 1);
}

/** The law that explains the curve best for what it is allowed to bend. */
export function bestModel(models: ScalingFits["models"], counts: number): Fitted<BestModel> {
  const wanted = laws.usl.freedoms + 3;
  if (counts < wanted) {
    const reason = `laws are told apart by ${wanted} counts or more, and there are ${counts}`;
    return { status: "inconclusive", reason };
  }
  const compared = scalingModels.flatMap((model) => {
    const fit = models[model];
    return fit.status === "fitted" && fit.aicc !== undefined
      ? [{ model, fit, aicc: fit.aicc }]
      : [];
  });
  const [first] = compared;
  if (first === undefined) return { status: "inconclusive", reason: "no law could be fitted" };
  const best = compared.reduce((a, b) => (b.aicc < a.aicc ? b : a), first);
  if (best.fit.errorMean > errorMeanMax) {
    const nearest = compared.reduce((a, b) => (b.fit.errorMean < a.fit.errorMean ? b : a), first);
    return { status: "inconclusive", reason: farOff(nearest) };
  }
  const beliefs = compared.map(({ aicc }) => Math.exp(-(aicc - best.aicc) / 2));
  const all = beliefs.reduce((sum, belief) => sum + belief, 0);
  const weights = Object.fromEntries(
    compared.map(({ model }, at) => [model, (beliefs[at] ?? 0) / all]),
  );
  return { status: "fitted", model: best.model, weights };
}

function farOff({ model, fit }: { readonly model: ScalingModel; readonly fit: ModelFit }): string {
  const percent = (100 * fit.errorMean).toFixed(0);
  return `no law explains this curve: the nearest, ${model}, is off by ${percent} % on average`;
}
