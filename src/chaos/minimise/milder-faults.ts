import { resolveParams } from "../fault/catalogue/index.ts";
import type { PlannedFault, Target } from "../plan/index.ts";
import type { Attempts } from "./attempts.ts";
import { withFault } from "./fewer-faults.ts";

/** Halvings of one value. */
const halvingsMax = 6;
const durationUsMin = 1000;

/** Values that make a fault worse as they grow, and what is none at all. */
const floors: Readonly<Record<string, number>> = {
  factor: 1,
  share: 0,
  count: 1,
  latencyUs: 1000,
  jitterUs: 0,
  delayUs: 1000,
  downUs: 1000,
  graceUs: 1000,
};

/** Makes each fault hit fewer, last shorter and do less, as long as the plan fails the same way. */
export async function makeMilder(attempts: Attempts): Promise<void> {
  for (const { id } of attempts.current.faults) {
    if (attempts.isSpent) return;
    const fault = () => attempts.current.faults.find((one) => one.id === id);
    await hitFewer(attempts, fault);
    await lastShorter(attempts, fault);
    for (const name of Object.keys(fault()?.params ?? {})) await doLess(attempts, fault, name);
  }
}

type Current = () => PlannedFault | undefined;

async function hitFewer(attempts: Attempts, current: Current): Promise<void> {
  const fault = current();
  if (fault === undefined) return;
  const half = Math.ceil(fault.targets.length / 2);
  const fewer: (readonly Target[])[] = [];
  if (fault.targets.length > 1) {
    fewer.push(fault.targets.slice(0, 1), fault.targets.slice(-1));
    if (half > 1) fewer.push(fault.targets.slice(0, half), fault.targets.slice(half));
  }
  const [target] = fault.targets;
  if (target?.kind === "cut" && target.sides.some((side) => side.length > 1)) {
    fewer.push([{ ...target, sides: target.sides.map((side) => side.slice(0, 1)) }]);
  }
  const candidates = fewer.map((targets) => ({
    plan: withFault(attempts.current, { ...fault, targets }),
    change: `${fault.id} hits fewer`,
  }));
  await attempts.first(candidates);
}

async function lastShorter(attempts: Attempts, current: Current): Promise<void> {
  await halve(attempts, {
    value: () => current()?.durationUs ?? null,
    floor: durationUsMin,
    candidate: (durationUs) => {
      const fault = current();
      if (fault === undefined) return null;
      const plan = withFault(attempts.current, { ...fault, durationUs });
      return { plan, change: `${fault.id} lasts ${durationUs} µs` };
    },
  });
}

async function doLess(attempts: Attempts, current: Current, name: string): Promise<void> {
  const floor = floors[name];
  if (floor === undefined) return;
  await halve(attempts, {
    value: () => {
      const value = current()?.params[name];
      return typeof value === "number" ? value : null;
    },
    floor,
    candidate: (value) => {
      const fault = current();
      if (fault === undefined) return null;
      const params = paramsOf(fault, { ...fault.params, [name]: value });
      if (params === null) return null;
      const plan = withFault(attempts.current, { ...fault, params });
      return { plan, change: `${fault.id} with ${name} ${value}` };
    },
  });
}

interface Halving {
  readonly value: () => number | null;
  readonly floor: number;
  readonly candidate: (value: number) => Parameters<Attempts["accepts"]>[0] | null;
}

/** First a long way down, then by halves until it does not fail any more. */
async function halve(attempts: Attempts, { value, floor, candidate }: Halving): Promise<void> {
  const from = value();
  if (from === null || from <= floor) return;
  const isWhole = Number.isInteger(from);
  const down = (to: number): number => Math.max(floor, isWhole ? Math.round(to) : to);
  const far = candidate(down(floor + (from - floor) / 16));
  if (far !== null) await attempts.accepts(far);
  for (let round = 0; round < halvingsMax && !attempts.isSpent; round++) {
    const now = value();
    if (now === null) return;
    const next = down(floor + (now - floor) / 2);
    if (next >= now) return;
    const nearer = candidate(next);
    if (nearer === null || !(await attempts.accepts(nearer))) return;
  }
}

/** Null: the catalogue does not take them. */
function paramsOf(
  fault: PlannedFault,
  params: Readonly<Record<string, unknown>>,
): PlannedFault["params"] | null {
  try {
    return resolveParams(fault.fault as string, params);
  } catch {
    return null;
  }
}
