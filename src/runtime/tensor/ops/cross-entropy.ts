import { exp } from "../math/index.ts";
import type { Tensor } from "../tensor.ts";
import { indicesWithin } from "./embedding.ts";
import { exactSum } from "./exact/exact-sum.ts";
import { requireFloat, requireShape, tensorOf } from "./operands.ts";
import { logSumExp } from "./softmax.ts";

export interface CrossEntropyOptions {
  /**
   * What the sum over rows is divided by; default the number of rows given. When rows are spread
   * over devices or micro-batches it is the number of all of them, so that parts add up.
   */
  readonly normalizer?: number;
}

export interface CrossEntropy {
  /** The exact sum of the row losses, rounded to f64, over the normalizer. */
  readonly loss: number;
  /** One loss per row in f64, in the shape of the targets. */
  readonly rowLosses: Tensor;
}

/**
 * How far logits [..., classes] are from target classes [...]: per row
 * log(sum of exp(x - max)) - (x[target] - max), in f64, the sum ascending. A row with NaN or +Inf,
 * or of nothing but -Inf, has loss NaN; a target at -Inf has loss Inf. Throws E_SHAPE for shapes
 * that do not fit or a target that is no class, E_DTYPE.
 */
export function crossEntropy(
  logits: Tensor,
  targets: Tensor,
  options: CrossEntropyOptions = {},
): CrossEntropy {
  const { values, classes, chosen } = rowsOf("crossEntropy", logits, targets);
  const losses = new Float64Array(chosen.length);
  for (const [row, target] of chosen.entries()) {
    const start = row * classes;
    const { max, logSum } = logSumExp(values, start, classes);
    losses[row] = logSum - ((values[start + target] as number) - max);
  }
  const rowLosses = tensorOf(losses, { dtype: "f64", shape: targets.shape });
  return { loss: totalLoss([rowLosses], options), rowLosses };
}

/**
 * The loss of a batch from the row losses of its parts: their exact sum rounded to f64, over the
 * normalizer (default the number of rows). How the batch was cut, and in which order the parts
 * come, cannot change a bit. 0 for no rows.
 */
export function totalLoss(
  rowLosses: readonly Tensor[],
  { normalizer }: CrossEntropyOptions = {},
): number {
  const rows = rowLosses.reduce((count, { size }) => count + size, 0);
  if (rows === 0) return 0;
  const total = rowLosses
    .map((losses) => exactSum(losses.reshape([losses.size]), { dims: 0 }))
    .reduce((one, other) => one.plus(other));
  return total.round("f64").item() / (normalizer ?? rows);
}

/**
 * The gradient of the loss: (softmax - 1 at the target) over the normalizer, in f64 with one
 * rounding to the dtype of the logits. Each row from itself alone.
 */
export function crossEntropyBackward(
  logits: Tensor,
  targets: Tensor,
  options: CrossEntropyOptions = {},
): Tensor {
  const { values, classes, chosen } = rowsOf("crossEntropyBackward", logits, targets);
  const normalizer = options.normalizer ?? chosen.length;
  const out = new Float64Array(values.length);
  for (const [row, target] of chosen.entries()) {
    const start = row * classes;
    const { max, logSum } = logSumExp(values, start, classes);
    for (let i = start; i < start + classes; i++) {
      const share = exp((values[i] as number) - max - logSum);
      out[i] = (share - (i === start + target ? 1 : 0)) / normalizer;
    }
  }
  return tensorOf(out, logits);
}

interface Rows {
  readonly values: Float64Array;
  readonly classes: number;
  readonly chosen: Float64Array;
}

function rowsOf(operation: string, logits: Tensor, targets: Tensor): Rows {
  requireFloat(operation, logits);
  requireShape(operation, targets, { shape: logits.shape.slice(0, -1), what: "list of targets" });
  const classes = logits.shape.at(-1) ?? 0;
  const chosen = indicesWithin(operation, targets, classes);
  return { values: logits.toNumbers(), classes, chosen };
}
