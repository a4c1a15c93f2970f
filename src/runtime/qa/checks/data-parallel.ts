import { DistTensor } from "../../dist/index.ts";
import * as op from "../../op/index.ts";
import { lossAndExactGradients, roundGradients } from "../../tensor/nn/index.ts";
import { ExactTensor, totalLoss } from "../../tensor/ops/index.ts";
import { counted, type QaCheck, type QaFinding } from "../check.ts";
import { cutBatch, exampleTask } from "../parallel/example-task.ts";
import { firstDifference } from "../parallel/first-difference.ts";
import type { QaWorld } from "../world.ts";

/** Chapter 3.1: many devices with a part of the batch each, against one with all of it. */
export const dataParallelCheck: QaCheck = {
  name: "data parallel",
  section: "parallelism",
  run: dataParallel,
};

function dataParallel({ layouts, devices, seed }: QaWorld): QaFinding {
  const { layers, params, batch } = exampleTask({ seed, layers: 2, rows: 2 * devices.length });
  const whole = lossAndExactGradients(layers, params, batch);
  const expected = roundGradients(whole.gradients, params);
  const parts = cutBatch(batch, devices.length).map((part) =>
    lossAndExactGradients(layers, params, part),
  );
  const loss = totalLoss(
    parts.map(({ rowLosses }) => rowLosses),
    { normalizer: 2 * devices.length },
  );
  if (!Object.is(loss, whole.loss)) {
    return { status: "fail", reason: `The loss is ${loss}, and ${whole.loss} in one batch.` };
  }
  for (const { name, mesh } of layouts) {
    const found = Object.fromEntries(
      Object.keys(whole.gradients).map((param) => {
        const limbs = parts.map(({ gradients }) => gradients[param]?.limbs).filter(isThere);
        const given = DistTensor.fromLocals({ mesh, locals: limbs });
        const sum = op.allReduce(given, { op: "sum" }).local(0);
        return [param, ExactTensor.fromLimbs(sum, { dtype: "f32" })];
      }),
    );
    const odd = firstDifference(roundGradients(found, params), expected);
    if (odd !== undefined) {
      return { status: "fail", reason: `On ${name}, ${odd} differs from that of one batch.` };
    }
  }
  return {
    status: "pass",
    reason: `${devices.length} parts in ${layouts.length} arrangements equal one batch.`,
    facts: [counted("loss", loss)],
  };
}

function isThere<T>(value: T | undefined): value is T {
  return value !== undefined;
}
