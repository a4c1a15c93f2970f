import type { Baseline, History } from "../history/history.ts";
import { baselinesInForce, scopeKey, scopeOf } from "./find-baseline.ts";
import { activateBaseline, expireBaselines, objectionsTo, proposeBaselines } from "./life-cycle.ts";
import type { BaselineOptions } from "./options.ts";

/** What became of the baselines of a cluster. */
export interface KeptBaselines {
  readonly expired: readonly string[];
  readonly activated: readonly string[];
  /** Candidates that a person has to look at, and why. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

const dayMs = 86_400_000;

/**
 * Keeps the baselines of a cluster fresh without a person, within the guard rails: marks those that
 * have expired and, for scopes without one in force or whose one is older than `renewAfterDays`,
 * learns a candidate and activates it when nothing speaks against it. What is refused stays a
 * candidate. Meant for once a day; doing it twice is doing it once.
 */
export async function keepBaselines(
  history: History,
  given: {
    readonly cluster: string;
    readonly nowMs: number;
    readonly options?: BaselineOptions;
    /** @default 30 */
    readonly renewAfterDays?: number;
  },
): Promise<KeptBaselines> {
  const { cluster, nowMs: atMs, renewAfterDays = 30 } = given;
  const options = given.options === undefined ? {} : { options: given.options };
  const expired = await expireBaselines(history, { cluster, atMs });
  const deed = { actor: "tessera", reason: "Learned from recent runs.", atMs };
  const inForce = baselinesInForce(await history.baselines({ state: "active" }), atMs);
  const isWanted = (candidate: Baseline) => {
    const active = inForce.get(scopeKey(scopeOf(candidate)));
    return active === undefined || active.madeAtMs <= atMs - renewAfterDays * dayMs;
  };
  const wish = { ...deed, cluster, isWanted, ...options };
  const { candidates } = await proposeBaselines(history, wish);
  const activated: string[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const candidate of candidates) {
    if (candidate.state !== "candidate") continue;
    const [objection] = await objectionsTo(history, candidate, { atMs, ...options });
    if (objection !== undefined) {
      refused.push({ id: candidate.id, reason: objection.reason });
      continue;
    }
    const reason = "Within the guard rails.";
    await activateBaseline(history, candidate, { ...deed, reason, ...options });
    activated.push(candidate.id);
  }
  return { expired, activated, refused };
}
