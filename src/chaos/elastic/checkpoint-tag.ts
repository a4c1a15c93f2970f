import assert from "node:assert/strict";

const digits = 6;
const pattern = /^step-(\d{6,16})$/;

/** The name of the checkpoint after so many steps: `step-000010`. Sorts as its steps do. */
export function tagOfStep(step: number): string {
  assert(Number.isSafeInteger(step) && step >= 0, "a checkpoint is taken after whole steps");
  return `step-${String(step).padStart(digits, "0")}`;
}

/** How many steps were done when this checkpoint was taken; undefined for a name of somebody else. */
export function stepOfTag(tag: string): number | undefined {
  const found = pattern.exec(tag)?.[1];
  return found === undefined ? undefined : Number(found);
}
