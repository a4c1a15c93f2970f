import assert from "node:assert/strict";
import { messageOf } from "../../platform/errors/index.ts";
import { type Clock, sleep } from "../../platform/time/index.ts";
import { faultEntry } from "../fault/catalogue/index.ts";
import type { Injection, Ledger, LedgerEntry, UndoExecutor } from "../ledger/index.ts";
import type { PlannedFault, Target } from "../plan/index.ts";
import type { InjectionRecord } from "../record/index.ts";
import type { OnInjection } from "../world.ts";
import type { Deed, Sight } from "./deed.ts";

export interface InjectorOptions {
  readonly clock: Clock;
  /** What a fault comes down to where it is carried out, just before it is. */
  readonly deedsOf: (fault: PlannedFault) => Promise<readonly Deed[]>;
  readonly targetText: (target: Target) => string;
  readonly ledger: Ledger;
  readonly undo: UndoExecutor;
  readonly nowUs: () => number;
  /** Hears what was seen in place of an effect. */
  readonly onNote: (note: string) => void;
  readonly onInjection: OnInjection;
  /** Aborts when the run is over: nothing new is broken then. */
  readonly over: AbortSignal;
}

type Draft = { -readonly [K in keyof InjectionRecord]: InjectionRecord[K] };

/** A node's silence is noticed after 40 s as clusters are set up; others show sooner. */
const effectMs = 120_000;
const pollMs = 250;

/** Breaks what others run and watches for what came of it. */
export class DeedInjector {
  readonly #options: InjectorOptions;
  readonly #drafts: ReadonlyMap<string, Draft>;
  /** What of the ledger belongs to a fault, by its id. */
  readonly #entries = new Map<string, readonly string[]>();
  #lastUs = 0;

  constructor(options: InjectorOptions, faults: readonly PlannedFault[]) {
    this.#options = options;
    const { targetText } = options;
    // Pods and nodes have no ranks: each thing that is hit counts as one place.
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

  /** When a fault last acted or was taken back. */
  get lastUs(): number {
    return this.#lastUs;
  }

  /** Carries one fault out, to its end. Rejects when it cannot be done, or the run is over. */
  async inject(fault: PlannedFault): Promise<void> {
    const { ledger, deedsOf, over } = this.#options;
    const draft = this.#drafts.get(fault.id);
    assert(draft !== undefined, "a fault of the plan");
    const deeds = await deedsOf(fault);
    const entries: string[] = [];
    for (const deed of deeds) {
      entries.push(await ledger.plan({ fault: fault.fault, target: deed.target, undo: deed.undo }));
    }
    this.#entries.set(fault.id, entries);
    let isLeft: boolean;
    try {
      isLeft = await this.#breakFor(fault, draft, { deeds, entries });
    } catch (error) {
      // What was done of it is not left until the end of the run; that takes back all by itself.
      if (!over.aborted) await this.#takeBack(draft, entries).catch(() => {});
      throw error;
    }
    if (!isLeft) await this.#takeBack(draft, entries);
  }

  /** Breaks it for its time. @returns whether it stays so until the run is over */
  async #breakFor(
    fault: PlannedFault,
    draft: Draft,
    { deeds, entries }: { readonly deeds: readonly Deed[]; readonly entries: string[] },
  ): Promise<boolean> {
    const { ledger, nowUs, clock, over } = this.#options;
    const untilMs = clock.monotonicMs() + (fault.durationUs ?? 0) / 1000;
    for (const [at, deed] of deeds.entries()) {
      const atUs = nowUs();
      try {
        await deed.act({ dryRun: false });
        const { second } = deed;
        if (second !== undefined) {
          const { target } = deed;
          await this.#replace(entries, at, { fault: fault.fault, target, undo: second.undo });
          await second.act();
        }
      } finally {
        this.#lastUs = nowUs();
      }
      this.#injected(draft, atUs);
      await ledger.activate(entries[at] ?? "");
    }
    const isInstant = faultEntry(fault.fault).ending === "instant";
    await this.#watchFor(draft, deeds, isInstant ? null : fault.durationUs);
    if (isInstant) return false;
    if (fault.durationUs === null) return true;
    const leftMs = untilMs - clock.monotonicMs();
    if (leftMs > 0) await sleep(clock, leftMs, over);
    await lookAtEnd(draft, deeds);
    return false;
  }

  /** The next step is on the disk before the one before it is let go: in between both may be taken back. */
  async #replace(entries: string[], at: number, injection: Injection): Promise<void> {
    const { ledger } = this.#options;
    const before = entries[at] ?? "";
    entries[at] = await ledger.plan(injection);
    await ledger.revert(before, async () => {});
  }

  /** One that cannot be taken back keeps the others from nothing. @throws the first problem */
  async #takeBack(draft: Draft, entries: readonly string[]): Promise<void> {
    const { ledger, undo, nowUs } = this.#options;
    const problems: unknown[] = [];
    for (const entry of entries) {
      await ledger.revert(entry, undo).catch((problem: unknown) => problems.push(problem));
    }
    this.#lastUs = nowUs();
    if (problems.length > 0) throw problems[0];
    if (draft.injectedUs !== null) this.#reverted(draft);
  }

  /** All that was still in force when the run was over has been taken back, but for what is left. */
  markReverted(left: readonly Pick<LedgerEntry, "id">[]): void {
    for (const draft of this.#drafts.values()) {
      const isLeft = left.some(({ id }) => this.#entries.get(draft.id)?.includes(id) === true);
      if (draft.injectedUs !== null && !isLeft) this.#reverted(draft);
    }
  }

  /** Of several deeds the first one counts. */
  #injected(draft: Draft, atUs: number): void {
    if (draft.injectedUs !== null) return;
    draft.injectedUs = atUs;
    this.#options.onInjection("injected", { ...draft });
  }

  #reverted(draft: Draft): void {
    if (draft.revertedUs !== null) return;
    draft.revertedUs = this.#options.nowUs();
    this.#options.onInjection("reverted", { ...draft });
  }

  async #watchFor(draft: Draft, deeds: readonly Deed[], forUs: number | null): Promise<void> {
    const { clock, nowUs, onNote, over } = this.#options;
    const showsMs = Math.max(effectMs, ...deeds.map(({ showsWithinMs = 0 }) => showsWithinMs));
    const endMs = clock.monotonicMs() + Math.min(showsMs, forUs === null ? showsMs : forUs / 1000);
    for (;;) {
      const seen = await Promise.all(deeds.map(look));
      const without = seen.flatMap((one) => ("why" in one ? [one.why] : []));
      if (without.length === 0) {
        draft.effectUs = nowUs();
        draft.effect = seen.flatMap((one) => ("effect" in one ? [one.effect] : [])).join("; ");
        this.#options.onInjection("effect", { ...draft });
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
