import assert from "node:assert/strict";
import type { Breakage, Corrupt, Passing, Side, Slow } from "./breakage.ts";

/** What a caller inside Tessera must have made sure of already. */
export function checked(breakage: Breakage): Breakage {
  switch (breakage.kind) {
    case "dead":
      break;
    case "hung":
      assert(isTime(breakage.timeoutMs), "a timeout is a time");
      break;
    case "failing":
      assert(isCount(breakage.times), "operations are counted from 1");
      break;
    case "straggling":
      assert(isFactor(breakage.factor), "a straggler is slower, from 1");
      break;
    case "slow":
      checkSlow(breakage);
      break;
    case "corrupt":
      checkPlace(breakage);
      break;
    case "cut":
      assert(
        breakage.sides !== undefined ||
          breakage.links !== undefined ||
          breakage.device !== undefined ||
          breakage.every === true,
        "a cut names sides or links",
      );
      breakage.sides?.forEach(checkSide);
      break;
    case "collective":
      checkPassing(breakage);
      if (breakage.fate.kind === "corrupt") checkPlace(breakage.fate);
      break;
  }
  return breakage;
}

function checkSlow({ factor, addUs = 0, jitter, capGBps = 1, sides }: Slow): void {
  assert(isFactor(factor), "a slowdown is from 1");
  assert(isTime(addUs) && isTime(jitter?.upToUs ?? 0), "latency is a time");
  assert(capGBps > 0 && Number.isFinite(capGBps), "what is capped still moves");
  sides?.forEach(checkSide);
}

function checkPlace({ element, bit }: Pick<Corrupt, "element" | "bit">): void {
  assert(Number.isSafeInteger(element) && element >= 0, "an element has an index");
  assert(bit === "nan" || (Number.isInteger(bit) && bit >= 0), "a bit has a number from 0");
}

function checkPassing({ nth, times, chance }: Passing): void {
  assert(isCount(nth) && isCount(times), "collectives are counted from 1");
  const share = chance?.share ?? 0;
  assert(share >= 0 && share <= 1, "a chance is a share of 1");
}

function checkSide(side: Side): void {
  if ("devices" in side) return;
  const [from, to] = "range" in side ? side.range : "nodes" in side ? side.nodes : side.deviceRange;
  assert(Number.isSafeInteger(from) && Number.isSafeInteger(to), "a range is of whole numbers");
  assert(from >= 0 && from <= to, "a range goes up from 0");
}

function isFactor(value: number): boolean {
  return value >= 1 && Number.isFinite(value);
}

function isTime(value: number): boolean {
  return value >= 0 && Number.isFinite(value);
}

function isCount(value: number | undefined): boolean {
  return value === undefined || (Number.isSafeInteger(value) && value >= 1);
}
