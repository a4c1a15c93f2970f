import { type DType, dtypeInfo } from "../../../tensor/dtype/index.ts";
import type { ReduceOp } from "../../../tensor/reduce/index.ts";
import type { Block } from "../../array/block.ts";
import { ConstantBlock } from "../../array/constant-block.ts";
import { blockOf, type StepWork } from "./step-work.ts";

/**
 * Makes partial values of replicated ones, exactly: the first rank of each group keeps its values
 * and the others hold what changes nothing. Where equal values reduce to themselves, all keep them.
 */
export function fill(work: StepWork): Block[] {
  const { step, dtype } = work;
  const neutral = step.op === undefined ? undefined : neutralOf(step.op, dtype);
  const fillers = new Map<string, Block>();
  const fillerLike = ({ shape }: Block, value: number): Block => {
    const key = shape.join("x");
    const block = fillers.get(key) ?? new ConstantBlock({ dtype, shape, value });
    fillers.set(key, block);
    return block;
  };
  const result: Block[] = [];
  for (const group of step.to.mesh.groups(step.meshAxes)) {
    for (const [member, rank] of group.entries()) {
      const block = blockOf(work, rank);
      result[rank] = neutral === undefined || member === 0 ? block : fillerLike(block, neutral);
    }
  }
  return result;
}

/** What a reduction ignores; undefined where equal values reduce to themselves. */
function neutralOf(op: ReduceOp, dtype: DType): number | undefined {
  if (op === "prod") return 1;
  if (op === "bxor") return 0;
  // -0 and not 0: it is the one that leaves a -0 as it is.
  if (op === "sum") return dtypeInfo(dtype).kind === "float" ? -0 : 0;
  return undefined;
}
