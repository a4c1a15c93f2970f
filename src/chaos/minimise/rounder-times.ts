import type { PlannedFault } from "../plan/index.ts";
import type { Attempts, Candidate } from "./attempts.ts";
import { withFault } from "./fewer-faults.ts";

const unitsUs = [1_000_000, 100_000, 10_000, 1000];

/** Times that people would have chosen, as long as the plan fails the same way. */
export async function roundTimes(attempts: Attempts): Promise<void> {
  for (const { id } of attempts.current.faults) {
    const fault = () => attempts.current.faults.find((one) => one.id === id);
    await round(attempts, fault, {
      read: ({ trigger }) => (trigger.kind === "time" ? trigger.atUs : null),
      write: (one, atUs) => ({ ...one, trigger: { kind: "time", atUs } }),
    });
    await round(attempts, fault, {
      read: ({ durationUs }) => durationUs,
      write: (one, durationUs) => ({ ...one, durationUs }),
    });
  }
}

interface TimeField {
  readonly read: (fault: PlannedFault) => number | null;
  readonly write: (fault: PlannedFault, us: number) => PlannedFault;
}

async function round(
  attempts: Attempts,
  current: () => PlannedFault | undefined,
  { read, write }: TimeField,
): Promise<void> {
  const fault = current();
  const us = fault === undefined ? null : read(fault);
  if (fault === undefined || us === null || us === 0) return;
  const candidates: Candidate[] = [];
  for (const unit of unitsUs) {
    // What is round already is left alone, and so is what would vanish.
    if (us % unit === 0) break;
    const rounded = Math.round(us / unit) * unit;
    if (rounded === 0 || Math.abs(rounded - us) > us / 2) continue;
    const plan = withFault(attempts.current, write(fault, rounded));
    candidates.push({ plan, change: `${fault.id}: ${us} µs rounded to ${rounded} µs` });
  }
  await attempts.first(candidates);
}
