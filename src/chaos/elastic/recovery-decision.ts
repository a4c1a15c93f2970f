import { formatDurationMs } from "../../platform/units/index.ts";
import type { RecoveryPolicy } from "../plan/index.ts";
import type { JobShape } from "./job-options.ts";
import type { Slot } from "./messages.ts";
import { replicaOf, replicasThatDivide, slotsOfWholeReplicas } from "./replicas.ts";

/** A job that has stopped because a part of it is lost, or because nobody could go on. */
export interface Situation {
  readonly policy: RecoveryPolicy;
  /** Recoveries before this one. */
  readonly restarts: number;
  readonly shape: JobShape;
  /** By rank. */
  readonly slots: readonly Slot[];
  readonly lost: readonly number[];
  /** Of the lost, those that are surely gone. The others are suspected, or did not stop in time. */
  readonly gone: readonly number[];
  /** Free ones that can be used, in the order in which they are taken. */
  readonly spares: readonly Slot[];
  /** Replicas that were done without for a suspicion and could be started now. */
  readonly benched: readonly (readonly Slot[])[];
  readonly batch: { readonly samples: number; readonly microBatches: number };
  /** What happened, for the sentence. */
  readonly reason: string;
  /** A person has said to go on. */
  readonly isResumed: boolean;
}

export type Decision =
  | { readonly kind: "give-up"; readonly reason: string }
  | { readonly kind: "pause"; readonly reason: string }
  /** These slots are the ranks of the next generation. */
  | { readonly kind: "go-on"; readonly shape: JobShape; readonly slots: readonly Slot[] };

/** What a policy does about a loss. */
export function decideRecovery(situation: Situation): Decision {
  const { policy, restarts, shape, slots, lost, reason } = situation;
  if (policy.onFailure === "failFast") return { kind: "give-up", reason: `failFast: ${reason}` };
  if (restarts >= policy.restartsMax) {
    const used = `${policy.restartsMax} ${policy.restartsMax === 1 ? "recovery is" : "recoveries are"}`;
    return { kind: "give-up", reason: `${used} all that is allowed: ${reason}` };
  }
  switch (policy.onFailure) {
    case "pauseForManual":
      if (!situation.isResumed) return { kind: "pause", reason };
      return { kind: "go-on", shape, slots };
    case "drainThenResume":
      return { kind: "go-on", shape, slots };
    case "spare":
      return withSpares(situation);
    case "shrink":
      return lost.length === 0 ? { kind: "go-on", shape, slots } : shrunk(situation);
  }
}

/** Whether a slot that is gone is waited for, instead of doing without it. */
export function waitsForSlots(policy: RecoveryPolicy): boolean {
  return policy.onFailure === "drainThenResume" || policy.onFailure === "pauseForManual";
}

/** Where spares are too few for all, who is only suspected is started again in its place. */
function withSpares({ shape, slots, lost, gone, spares, reason }: Situation): Decision {
  const replaced = lost.length > spares.length ? gone : lost;
  if (replaced.length > spares.length) {
    const left = spares.length === 0 ? "no spare is" : `only ${spares.length} of the spares are`;
    return { kind: "give-up", reason: `${left} left for ${replaced.length} lost: ${reason}` };
  }
  const next = [...slots];
  for (const [at, rank] of replaced.entries()) next[rank] = spares[at] ?? -1;
  return { kind: "go-on", shape, slots: next };
}

/**
 * The last replicas are not given up for a suspicion: they are started again without those that are gone, or
 * else those that were suspected before.
 */
function shrunk(situation: Situation): Decision {
  const { lost, gone, reason } = situation;
  const decision =
    withoutReplicasOf(lost, situation) ??
    withoutReplicasOf(gone, situation) ??
    withBenched(situation);
  return decision ?? { kind: "give-up", reason: `no whole replica is left: ${reason}` };
}

/** Null: there is no number of replicas that would do. */
function withoutReplicasOf(
  ranks: readonly number[],
  { shape, slots, batch }: Situation,
): Decision | null {
  const broken = new Set(ranks.map((rank) => replicaOf(rank, shape)));
  const count = replicasThatDivide(shape.dp - broken.size, batch);
  if (count === 0) return null;
  const kept = slotsOfWholeReplicas(slots, shape, { lost: new Set(ranks), count });
  return { kind: "go-on", shape: { ...shape, dp: count }, slots: kept };
}

function withBenched({ shape, benched, batch }: Situation): Decision | null {
  const count = replicasThatDivide(benched.length, batch);
  if (count === 0) return null;
  const slots = benched.slice(0, count).flat();
  return { kind: "go-on", shape: { ...shape, dp: count }, slots };
}

/** The sentence of a job that waited for slots in vain. */
export function neverCame(slots: readonly Slot[], waitedUs: number): string {
  const names = slots.slice(0, 8).join(", ") + (slots.length > 8 ? ", …" : "");
  const noun = slots.length === 1 ? "slot" : "slots";
  return `${noun} ${names} did not come back within ${formatDurationMs(waitedUs / 1000)}`;
}
