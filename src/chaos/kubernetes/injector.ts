import assert from "node:assert/strict";
import { messageOf } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Ledger, LedgerEntry, UndoExecutor } from "../ledger/index.ts";
import type { PlannedFault } from "../plan/index.ts";
import type { InjectionRecord } from "../record/index.ts";
import { type Deed, type DeedContext, deedsOf, type Sight, targetText } from "./deeds/index.ts";

export interface InjectorOptions {
  readonly clock: Clock;
  readonly context: DeedContext;
  readonly ledger: Ledger;
  readonly undo: UndoExecutor;
  readonly nowUs: () => number;
  /** Hears what was seen in place of an effect. */
  readonly onNote: (note: string) => void;
  /** Aborts when the run is over: nothing new is broken then. */
  readonly over: AbortSignal;
}

type Draft = { -readonly [K in keyof InjectionRecord]: InjectionRecord[K] };

/** A node's silence is noticed after 40 s as clusters are set up; others show sooner. */
const effectMs = 120_000;
const pollMs = 250;

/** Breaks pods and nodes of a cluster and watches for what came of it. */
export class KubernetesInjector {
  readonly #options: InjectorOptions;
  readonly #drafts: ReadonlyMap<string, Draft>;

  constructor(options: InjectorOptions, faults: readonly PlannedFault[]) {
    this.#options = options;
    // Pods have no ranks: each thing that is hit counts as one place.
    const places = [...new Set(faults.flatMap(({ targets }) => targets.map(targetText)))];
    this.#drafts = new Map(
      faults.map(({ id, fault, targets }) => [
        id,
        {
          id,
          fault,
          target: targets.map(targetText).join(", "),
          injectedUs: null,
          effectUs: null,
          effect: null,
          revertedUs: null,
          ranks: targets.map((target) => places.indexOf(targetText(target))),
        },
      ]),
    );
  }

  records(): readonly InjectionRecord[] {
    return [...this.#drafts.values()];
  }

  /** Carries one fault out, to its end. Rejects when it cannot be done, or the run is over. */
  async inject(fault: PlannedFault): Promise<void> {
    const { ledger, undo, nowUs, clock, context, over } = this.#options;
    const draft = this.#drafts.get(fault.id);
    assert(draft !== undefined, "a fault of the plan");
    const deeds = await deedsOf(fault, context);
    const entries: string[] = [];
    for (const deed of deeds) {
      entries.push(await ledger.plan({ fault: fault.fault, target: deed.target, undo: deed.undo }));
    }
    const untilMs = clock.monotonicMs() + (fault.durationUs ?? 0) / 1000;
    for (const [at, deed] of deeds.entries()) {
      const atUs = nowUs();
      await deed.act({ dryRun: false });
      draft.injectedUs ??= atUs;
      await ledger.activate(entries[at] ?? "");
    }
    const isInstant = fault.fault === "kill_pod";
    await this.#watchFor(draft, deeds, isInstant ? null : fault.durationUs);
    if (!isInstant) {
      if (fault.durationUs === null) return;
      const leftMs = untilMs - clock.monotonicMs();
      if (leftMs > 0) await sleep(clock, leftMs, over);
      await lookAtEnd(draft, deeds);
    }
    for (const entry of entries) await ledger.revert(entry, undo);
    draft.revertedUs = nowUs();
  }

  /** All that was still in force when the run was over has been taken back, but for what is left. */
  markReverted(left: readonly Pick<LedgerEntry, "fault" | "target">[]): void {
    for (const draft of this.#drafts.values()) {
      const isLeft = left.some(
        ({ fault, target }) => fault === draft.fault && draft.target.includes(target),
      );
      if (draft.injectedUs !== null && !isLeft) draft.revertedUs ??= this.#options.nowUs();
    }
  }

  async #watchFor(draft: Draft, deeds: readonly Deed[], forUs: number | null): Promise<void> {
    const { clock, nowUs, onNote, over } = this.#options;
    const endMs =
      clock.monotonicMs() + Math.min(effectMs, forUs === null ? effectMs : forUs / 1000);
    for (;;) {
      const seen = await Promise.all(deeds.map(look));
      const without = seen.flatMap((one) => ("why" in one ? [one.why] : []));
      if (without.length === 0) {
        draft.effectUs = nowUs();
        draft.effect = seen.flatMap((one) => ("effect" in one ? [one.effect] : [])).join("; ");
        return;
      }
      if (over.aborted || clock.monotonicMs() >= endMs) {
        onNote(`${draft.id} shows no effect: ${without.join("; ")}`);
        return;
      }
      await sleep(clock, pollMs);
    }
  }
}

/** Whoever cannot be asked just now has seen nothing yet; the fault ends in its time all the same. */
async function look(deed: Deed): Promise<Sight> {
  try {
    return await deed.see();
  } catch (error) {
    return { why: `nobody can be asked about ${deed.target}: ${messageOf(error)}` };
  }
}

/** An effect that was seen stays one, whatever can be asked at the end. */
async function lookAtEnd(draft: Draft, deeds: readonly Deed[]): Promise<void> {
  if (draft.effect === null) return;
  const effects: string[] = [];
  for (const deed of deeds) {
    const sight = await deed.seeAtEnd?.().catch(() => undefined);
    if (sight === undefined || "why" in sight) return;
    effects.push(sight.effect);
  }
  draft.effect = effects.join("; ");
}
