import { exactIntervalS } from "../../../../runtime/planning/index.ts";
import type { FailureModel, Parameter } from "../../../failure-model/index.ts";

const secondsPerDay = 86_400;

/** Failures of a job in a day, as the model means them: planned stops are none. */
export function failuresPerDay({ hardware, software }: FailureModel, nodes: number): number {
  return (nodes * hardware.perThousandNodeDays.value) / 1000 + software.perJobDay.value;
}

/** The computing between saves that gives most, if failures have no memory. */
export function bestIntervalS(
  model: FailureModel,
  nodes: number,
  inputs: Readonly<
    Record<"blockingS" | "writeS" | "restartS" | "crashDetectS", Pick<Parameter, "value">>
  >,
): number {
  const mtbfS = secondsPerDay / failuresPerDay(model, nodes);
  if (!Number.isFinite(mtbfS)) return secondsPerDay;
  return exactIntervalS({
    mtbfS,
    blockingS: inputs.blockingS.value,
    writeS: inputs.writeS.value,
    restartS: inputs.restartS.value,
    detectS: inputs.crashDetectS.value,
  });
}
