import type { JobShape } from "../../elastic/index.ts";

/** What a rank does in a step, one after the other. */
export const op = {
  receiveForward: 0,
  computeForward: 1,
  sumForward: 2,
  sendForward: 3,
  receiveBackward: 4,
  computeBackward: 5,
  sumBackward: 6,
  sendBackward: 7,
  sumGradients: 8,
  /** Loss and norm, between all ranks: who gets an answer knows that everyone came this far. */
  sumMetrics: 9,
} as const;

/** Of the time of a step's computing: backward takes twice as long as forward. */
export const forwardShare = 1 / 3;
export const backwardShare = 1 - forwardShare;

/**
 * The program of the ranks of a stage. All micro-batches of a step go through the pipeline as one: the time
 * of a step is modelled so, not overlapped.
 */
export function programOf({ dp, tp, pp }: JobShape, stage: number): Uint8Array {
  const isFirst = stage === 0;
  const isLast = stage === pp - 1;
  const program: number[] = [];
  if (!isFirst) program.push(op.receiveForward);
  program.push(op.computeForward);
  if (tp > 1) program.push(op.sumForward);
  if (!isLast) program.push(op.sendForward, op.receiveBackward);
  program.push(op.computeBackward);
  if (tp > 1) program.push(op.sumBackward);
  if (!isFirst) program.push(op.sendBackward);
  if (dp > 1) program.push(op.sumGradients);
  program.push(op.sumMetrics);
  return Uint8Array.from(program);
}
