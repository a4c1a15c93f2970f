import { TesseraError } from "../../../platform/errors/index.ts";
import type { Retention } from "../options.ts";
import type { Surveyed } from "./survey.ts";

export interface Kept {
  readonly name: string;
  readonly why: string;
}

export interface Choice {
  /** Names, oldest first: whoever is stopped midway has lost the least. */
  readonly remove: readonly string[];
  /** Newest first. */
  readonly keep: readonly Kept[];
}

/** How many that are older than the time in which corruption is noticed. */
const oldKept = 2;
/**
 * Of the younger ones, those at every quarter of that time stay too: so that what one goes back to is
 * at most a quarter older than it must be, and not the same two for ever.
 */
const rungs = 4;

/**
 * Decides what goes. Only good checkpoints count and only good ones go: what is damaged or not
 * committed proves nothing, and is left for people and for the sweep.
 *
 * @throws E_CHECKPOINT_STATE for a retention that makes no sense
 */
export function chooseKept(
  all: readonly Surveyed[],
  about: Retention & { readonly nowMs: number; readonly justSaved?: string },
): Choice {
  const { keep = 3, detectionMs = 0, nowMs, justSaved } = about;
  checkRetention(justSaved ?? "a checkpoint", about);
  const good = all.filter(({ status }) => status === "good").toSorted(newestFirst);
  const newestOfTag = new Map<string, number>();
  for (const { tag, generation } of good) {
    newestOfTag.set(tag, Math.max(generation, newestOfTag.get(tag) ?? 0));
  }
  const current = good.filter(({ tag, generation }) => newestOfTag.get(tag) === generation);
  const isOld = ({ createdMs }: Surveyed) => nowMs - createdMs >= detectionMs;
  const old = current.filter(isOld).slice(0, oldKept);
  // While too few are old, the oldest of the others are next to be.
  const young = current.filter((one) => !isOld(one));
  const coming = [
    ...young.slice(Math.max(0, young.length - (oldKept - old.length))),
    ...spaced(young, detectionMs / rungs, old[0]?.createdMs),
  ];
  const oldNames = new Set(old.map(({ name }) => name));
  const comingNames = new Set(coming.map(({ name }) => name));
  const parents = new Set(
    all.flatMap(({ status, parent }) => (status === "uncommitted" ? (parent ?? []) : [])),
  );
  const whyKept = (name: string, place: number): string | undefined => {
    if (name === justSaved) return "just saved";
    if (place < keep) return `one of the newest ${keep}`;
    if (oldNames.has(name)) return "older than the detection time";
    if (comingNames.has(name)) return "on its way to the detection time";
    return parents.has(name) ? "the parent of a save under way" : undefined;
  };
  const kept: Kept[] = [];
  const remove: string[] = [];
  for (const one of good) {
    const place = current.indexOf(one);
    const isCurrent = place !== -1;
    const why =
      isCurrent || parents.has(one.name) ? whyKept(one.name, isCurrent ? place : keep) : undefined;
    if (why === undefined) remove.unshift(one.name);
    else kept.push({ name: one.name, why });
  }
  return { remove, keep: kept };
}

/** The oldest, and each that is so much younger than the last one taken. */
function spaced(
  newestToOldest: readonly Surveyed[],
  gapMs: number,
  afterMs = Number.NEGATIVE_INFINITY,
): readonly Surveyed[] {
  if (gapMs <= 0) return [];
  const taken: Surveyed[] = [];
  let lastMs = afterMs;
  for (const one of newestToOldest.toReversed()) {
    if (one.createdMs - lastMs < gapMs) continue;
    taken.push(one);
    lastMs = one.createdMs;
  }
  return taken;
}

function newestFirst(one: Surveyed, other: Surveyed): number {
  return (
    other.createdMs - one.createdMs ||
    other.generation - one.generation ||
    (one.name < other.name ? 1 : -1)
  );
}

/** @throws E_CHECKPOINT_STATE for a retention that makes no sense */
export function checkRetention(tag: string, retention: Retention = {}): void {
  const { keep = 3, detectionMs = 0 } = retention;
  if (Number.isInteger(keep) && keep >= 1 && detectionMs >= 0) return;
  const problem = `retention keeps 1 at least, and for 0 ms at least; not ${keep}, ${detectionMs}`;
  throw new TesseraError("E_CHECKPOINT_STATE", { tag, problem });
}
