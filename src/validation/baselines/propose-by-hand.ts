import { toTesseraError } from "../../platform/errors/index.ts";
import type { BaselineRecord, History } from "../history/history.ts";
import {
  activateBaseline,
  type BaselineDeed,
  type Proposal,
  proposeBaselines,
} from "./life-cycle.ts";

/** What a person wants learned, and why. */
interface ProposalWish {
  readonly actor: string;
  readonly reason: string;
  readonly nowMs: number;
  /** Only from runs of this cluster. @default all */
  readonly cluster?: string | undefined;
  /** Only from runs of this check. @default all */
  readonly check?: string | undefined;
  /** From the runs of so many days. */
  readonly days: number;
  /** Bring into force what no guard rail is against. */
  readonly activate: boolean;
  /** Brings nothing more into force once it aborts. */
  readonly signal?: AbortSignal;
}

interface HandProposal extends Proposal {
  readonly activated: readonly string[];
  /** Candidates that the guard rails are against, and why. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Learns candidates because a person asked for it and, if asked to, activates what it may. */
export async function proposeByHand(history: History, wish: ProposalWish): Promise<HandProposal> {
  const { actor, reason, nowMs, days, activate } = wish;
  const cluster = wish.cluster === undefined ? {} : { cluster: wish.cluster };
  const check = wish.check === undefined ? {} : { check: wish.check };
  // Runs of a simulated fleet may be ahead of this machine's time.
  const [newest] = await history.runs({ ...cluster, limit: 1 });
  const deed = { actor, reason, atMs: Math.max(nowMs, newest?.result?.endedAtMs ?? 0) };
  const options = { windowDays: days };
  const proposal = await proposeBaselines(history, { ...deed, ...cluster, ...check, options });
  const activated: string[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const one of activate ? proposal.candidates : []) {
    if (one.state !== "candidate") continue;
    wish.signal?.throwIfAborted();
    const objection = await tryToActivate(history, one, deed);
    if (objection === undefined) activated.push(one.id);
    else refused.push({ id: one.id, reason: objection });
  }
  return { ...proposal, activated, refused };
}

/** Why the guard rails are against it; undefined when it is in force now. */
async function tryToActivate(
  history: History,
  candidate: BaselineRecord,
  deed: BaselineDeed,
): Promise<string | undefined> {
  try {
    await activateBaseline(history, candidate, deed);
    return undefined;
  } catch (thrown) {
    const error = toTesseraError(thrown);
    if (error.code !== "E_BASELINE_REFUSED") throw thrown;
    return error.message;
  }
}
