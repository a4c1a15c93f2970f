import type { DType } from "../../tensor/dtype/index.ts";
import { productLayoutOf } from "../../tensor/fixed-point/index.ts";
import { Tensor } from "../../tensor/index.ts";
import type { Params } from "../../tensor/nn/index.ts";
import { ExactTensor, exactSum, matmulExact } from "../../tensor/ops/index.ts";
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
  const [lossWidth, normWidth] = [productLayoutOf("f64").width, productLayoutOf(dtype).width];
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
  return limbsOf(rowLosses.map((losses) => exactSum(losses.reshape([losses.size]), { dims: 0 })));
}

/** Every element of the gradient counts once, wherever it has copies. */
function squareLimbs({ model, tied }: JobPlan, place: Place, gradients: Params): Float64Array {
  if (place.dp.index !== 0) return new Float64Array(0);
  const counted = Object.entries(gradients).filter(([name]) => {
    const isSplit = model.params.get(name)?.split !== undefined;
    return (isSplit || place.tp.index === 0) && (!tied.has(name) || isFirstStage(place));
  });
  if (counted.length === 0) return new Float64Array(0);
  return limbsOf(counted.map(([, gradient]) => squaresOf(gradient)));
}

function squaresOf(gradient: Tensor): ExactTensor {
  const { size } = gradient;
  return matmulExact(gradient.reshape([1, size]), gradient.reshape([size, 1]));
}

function limbsOf(sums: readonly ExactTensor[]): Float64Array {
  const total = sums.reduce((one, other) => one.plus(other));
  return total.openLimbs.toRaw() as Float64Array;
}

function valueOf(limbs: Tensor, dtype: DType): number {
  return ExactTensor.fromLimbs(limbs, { dtype }).round("f64").item();
}
