import type { CollectiveEstimate, CollectiveOp } from "../time-model/index.ts";
import type { Delay } from "./call.ts";
import { messagesInARow } from "./slowest-link.ts";

export interface Delayed {
  readonly op: CollectiveOp;
  readonly devices: number;
  readonly delay: Readonly<Delay>;
}

/** A modelled time with what faults add to it; rates and shares follow. */
export function delayed(
  modelled: CollectiveEstimate,
  { op, devices, delay: { us, eachMessageUs } }: Delayed,
): CollectiveEstimate {
  if (us === 0 && eachMessageUs === 0) return modelled;
  const addedUs = us + eachMessageUs * messagesInARow(op, modelled.algorithm, devices);
  const timeUs = modelled.timeUs + addedUs;
  const share = timeUs === 0 ? 1 : modelled.timeUs / timeUs;
  return {
    ...modelled,
    timeUs,
    algbwGBps: modelled.algbwGBps * share,
    busbwGBps: modelled.busbwGBps * share,
    linkPercent: modelled.linkPercent * share,
    bisectionPercent: modelled.bisectionPercent * share,
    aggregatePercent: modelled.aggregatePercent * share,
    bound: "latency",
  };
}
