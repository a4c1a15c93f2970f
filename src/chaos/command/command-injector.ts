import assert from "node:assert/strict";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Ledger, UndoExecutor } from "../ledger/index.ts";
import type { CommandWorkload, PlannedFault } from "../plan/index.ts";
import { lookAtProcess, type SeenProcess, signalIdentity } from "../processes/index.ts";
import type { InjectionRecord } from "../record/index.ts";
import type { OnInjection } from "../world.ts";
import { workersOf } from "./job-processes.ts";
import { continueUndo } from "./undo.ts";

export interface InjectorOptions {
  readonly workload: CommandWorkload;
  readonly run: string;
  readonly ledger: Ledger;
  readonly undo: UndoExecutor;
  readonly clock: Clock;
  readonly nowUs: () => number;
  /** Of the program; undefined before it runs. */
  readonly programPid: () => number | undefined;
  /** Aborts when the run is over: nothing new is broken then. */
  readonly over: AbortSignal;
  readonly onNote: (note: string) => void;
  readonly onInjection: OnInjection;
}

/** A worker that is just starting again may be hit, too: it is looked for so long. */
const lookMs = 5000;
const pollMs = 10;
/** A signal that shows nothing for so long has no effect. */
const effectMs = 10_000;

type Draft = { -readonly [K in keyof InjectionRecord]: InjectionRecord[K] };

/** Breaks the processes of a command and watches the kernel for what came of it. */
export class CommandInjector {
  readonly #options: InjectorOptions;
  readonly #drafts = new Map<string, Draft>();

  constructor(options: InjectorOptions, faults: readonly PlannedFault[]) {
    this.#options = options;
    for (const { id, fault, targets } of faults) {
      const ranks = targets.flatMap((target) => (target.kind === "rank" ? [target.rank] : []));
      this.#drafts.set(id, {
        id,
        fault,
        target: ranks.map((rank) => `rank ${rank}`).join(", "),
        injectedUs: null,
        effectUs: null,
        effect: null,
        revertedUs: null,
        ranks,
      });
    }
  }

  records(): readonly InjectionRecord[] {
    return [...this.#drafts.values()];
  }

  /** Carries one fault out, to its end. Rejects only when the ledger or the run is over. */
  async inject(fault: PlannedFault): Promise<void> {
    const draft = this.#drafts.get(fault.id);
    assert(draft !== undefined, "a fault of the plan");
    const victims = await this.#find(draft.ranks);
    if (victims === undefined) {
      const who = draft.ranks.map((rank) => `rank ${rank}`).join(", ");
      this.#options.onNote(`${fault.id}: there was no process of ${who} to hit`);
      return;
    }
    const pids = victims.map(({ pid }) => pid).join(", ");
    draft.target = `${draft.target} (process ${pids})`;
    switch (fault.fault) {
      case "restart_worker":
        return this.#kill(
          draft,
          victims,
          fault.params["signal"] === "SIGTERM" ? "SIGTERM" : "SIGKILL",
        );
      case "preempt":
        return this.#preempt(draft, victims, Number(fault.params["graceUs"]) / 1000);
      case "freeze_worker":
        return this.#freeze(draft, victims, fault.durationUs);
      default:
        assert.fail(`${fault.fault} was refused`);
    }
  }

  async #kill(
    draft: Draft,
    victims: readonly SeenProcess[],
    signal: NodeJS.Signals,
  ): Promise<void> {
    this.#injected(draft);
    for (const victim of victims) await signalIdentity(victim, signal);
    await this.#ended(draft, victims);
    this.#reverted(draft, draft.effectUs);
  }

  async #preempt(draft: Draft, victims: readonly SeenProcess[], graceMs: number): Promise<void> {
    this.#injected(draft);
    for (const victim of victims) await signalIdentity(victim, "SIGTERM");
    if (!(await this.#ended(draft, victims, graceMs))) {
      for (const victim of victims) await signalIdentity(victim, "SIGKILL");
      await this.#ended(draft, victims);
    }
    this.#reverted(draft, draft.effectUs);
  }

  async #freeze(
    draft: Draft,
    victims: readonly SeenProcess[],
    durationUs: number | null,
  ): Promise<void> {
    const { ledger, clock, undo, over, nowUs } = this.#options;
    const entries: string[] = [];
    for (const victim of victims) {
      const target = `process ${victim.pid}`;
      const back = continueUndo(victim);
      entries.push(await ledger.plan({ fault: "freeze_worker", target, undo: back }));
    }
    this.#injected(draft);
    for (const victim of victims) await signalIdentity(victim, "SIGSTOP");
    for (const entry of entries) await ledger.activate(entry);
    await this.#seen(draft, victims, {
      isSo: (now) => now?.state === "T",
      what: "the kernel shows the process stopped",
      withinMs: effectMs,
    });
    if (durationUs === null) return;
    await sleep(clock, durationUs / 1000, over);
    for (const entry of entries) await ledger.revert(entry, undo);
    this.#reverted(draft, nowUs());
  }

  /** All that was still in force when the run was over has been taken back. */
  markReverted(): void {
    for (const draft of this.#drafts.values()) {
      if (draft.injectedUs !== null) this.#reverted(draft, this.#options.nowUs());
    }
  }

  #injected(draft: Draft): void {
    draft.injectedUs = this.#options.nowUs();
    this.#options.onInjection("injected", { ...draft });
  }

  /** The first time counts; none: it was never in force. */
  #reverted(draft: Draft, atUs: number | null): void {
    if (atUs === null || draft.revertedUs !== null) return;
    draft.revertedUs = atUs;
    this.#options.onInjection("reverted", { ...draft });
  }

  #ended(draft: Draft, victims: readonly SeenProcess[], withinMs = effectMs): Promise<boolean> {
    return this.#seen(draft, victims, {
      isSo: (now, before) =>
        now === undefined || now.startTicks !== before.startTicks || "ZX".includes(now.state),
      what: "the process is gone, as the kernel lists it",
      withinMs,
    });
  }

  async #seen(
    draft: Draft,
    victims: readonly SeenProcess[],
    look: {
      readonly isSo: (now: SeenProcess | undefined, before: SeenProcess) => boolean;
      readonly what: string;
      readonly withinMs: number;
    },
  ): Promise<boolean> {
    const { clock, nowUs, over } = this.#options;
    const endMs = clock.monotonicMs() + look.withinMs;
    for (;;) {
      const now = await Promise.all(victims.map(({ pid }) => lookAtProcess(pid)));
      if (victims.every((victim, at) => look.isSo(now[at], victim))) {
        draft.effectUs = nowUs();
        draft.effect = look.what;
        this.#options.onInjection("effect", { ...draft });
        return true;
      }
      if (over.aborted || clock.monotonicMs() >= endMs) return false;
      await sleep(clock, pollMs);
    }
  }

  /** The processes of these ranks; undefined when they did not all show up. */
  async #find(ranks: readonly number[]): Promise<readonly SeenProcess[] | undefined> {
    const { clock, over } = this.#options;
    const endMs = clock.monotonicMs() + lookMs;
    for (;;) {
      const workers = await this.#workers();
      const victims = ranks.flatMap((rank) => workers[rank] ?? []);
      if (victims.length === ranks.length) return victims;
      if (over.aborted || clock.monotonicMs() >= endMs) return undefined;
      await sleep(clock, pollMs);
    }
  }

  async #workers(): Promise<readonly SeenProcess[]> {
    const { workload, run, programPid } = this.#options;
    if (workload.workers !== null) {
      const own = programPid();
      const all = await workersOf(run, new RegExp(workload.workers.match, "u"));
      // The launcher names its workers in its own arguments.
      return all.filter(({ pid }) => pid !== own);
    }
    const pid = programPid();
    const seen = pid === undefined ? undefined : await lookAtProcess(pid);
    return seen === undefined ? [] : [seen];
  }
}
