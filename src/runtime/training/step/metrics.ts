import type { DType } from "../../tensor/dtype/index.ts";
import { Tensor } from "../../tensor/index.ts";
import type { Params } from "../../tensor/nn/index.ts";
import { limbLayoutOf } from "../../tensor/ops/exact/limb-layout.ts";
import { exactSum } from "../../tensor/ops/index.ts";
import { addOpen, exactProduct, type OpenSum, openSumOf, roundOpen } from "../exact/index.ts";
import type { Place, StepLinks } from "../links/step-links.ts";
import { isFirstStage, type JobPlan } from "./plan.ts";

/** What all ranks know of a step before anybody changes a parameter. */
export interface StepMetrics {
  readonly loss: number;
  readonly gradientNorm: number;
}

/**
 * Loss and gradient norm of the whole job, as exact sums over the ranks: one exchange between all of
 * them, the last one of a step. Whoever gets an answer knows that everyone came this far.
 */
export async function shareMetrics(o: {
  readonly plan: JobPlan;
  readonly links: StepLinks;
  readonly gradients: Params;
  readonly rowLosses: readonly Tensor[];
}): Promise<StepMetrics> {
  const { plan, links, gradients, rowLosses } = o;
  const dtype = Object.values(gradients)[0]?.dtype ?? "f32";
  const [lossWidth, normWidth] = [limbLayoutOf("f64").width, limbLayoutOf(dtype).width];
  const own = new Float64Array(lossWidth + normWidth);
  own.set(lossLimbs(links.place, rowLosses));
  own.set(squareLimbs(plan, links.place, gradients), lossWidth);
  const numbers = Tensor.over(own, { dtype: "f64", shape: [own.length] });
  const all = await links.allReduce(numbers, { over: ["dp", "tp", "pp"], name: "metrics" });
  const total = valueOf(all.slice([{ stop: lossWidth }]), "f64");
  const squares = valueOf(all.slice([{ start: lossWidth }]), dtype);
  return {
    loss: total / (plan.batch * plan.task.targetsPerSample),
    gradientNorm: Math.sqrt(squares),
  };
}

/** Tensor-parallel ranks have the same losses: one of them counts. */
function lossLimbs({ tp }: Place, rowLosses: readonly Tensor[]): Float64Array {
  if (tp.index !== 0 || rowLosses.length === 0) return new Float64Array(0);
  const sum = rowLosses
    .map((losses) => openSumOf(exactSum(losses.reshape([losses.size]), { dims: 0 })))
    .reduce(addOpen);
  return sum.limbs.toRaw() as Float64Array;
}

/** Every element of the gradient counts once, wherever it has copies. */
function squareLimbs({ model, tied }: JobPlan, place: Place, gradients: Params): Float64Array {
  if (place.dp.index !== 0) return new Float64Array(0);
  const counted = Object.entries(gradients).filter(([name]) => {
    const isSplit = model.params.get(name)?.split !== undefined;
    return (isSplit || place.tp.index === 0) && (!tied.has(name) || isFirstStage(place));
  });
  if (counted.length === 0) return new Float64Array(0);
  const sum = counted.map(([, gradient]) => squaresOf(gradient)).reduce(addOpen);
  return sum.limbs.toRaw() as Float64Array;
}

function squaresOf(gradient: Tensor): OpenSum {
  const { size } = gradient;
  return exactProduct(gradient.reshape([1, size]), gradient.reshape([size, 1]));
}

function valueOf(limbs: Tensor, dtype: DType): number {
  return roundOpen({ dtype, shape: [], limbs }, "f64").item();
}
