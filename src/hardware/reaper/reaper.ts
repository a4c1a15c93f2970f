import { setMaxListeners } from "node:events";
import { Semaphore } from "../../platform/concurrency/index.ts";
import { messageOf, TesseraError } from "../../platform/errors/index.ts";
import { sleep } from "../../platform/time/index.ts";
import { ended } from "../faults/index.ts";
import {
  type EndReason,
  type HardwareFault,
  type HardwareFaultStatus,
  isLive,
  type UndoEntry,
} from "../objects/index.ts";
import { collect, isCollectable } from "./collect.ts";
import { dueFaults } from "./due-faults.ts";
import type { Reaper, ReaperOptions, SweepResult } from "./reaper-options.ts";
import { type RevertPorts, revertOne } from "./revert-one.ts";

const defaults = {
  intervalMs: 1_000,
  listEveryMs: 30_000,
  concurrency: 64,
  revertTimeoutMs: 60_000,
} as const;
const lookMs = 100;

/** A reaper; several may look after the same faults, and each alone suffices. */
export function createReaper(options: ReaperOptions): Reaper {
  const work = new Work({ ...defaults, ...options });
  return {
    sweep: () => work.sweep(),
    run: (signal) => work.run(signal),
    revert: (name, reason) => work.revert(name, reason),
  };
}

type Resolved = ReaperOptions & Required<Pick<ReaperOptions, keyof typeof defaults>>;
type Outcome = HardwareFault | Error;

interface Why {
  readonly reason: EndReason;
  /** It shall end though nothing on it says so: only where somebody asked for it. */
  readonly asked?: EndReason;
}

class Work {
  readonly #options: Resolved;
  readonly #permits: Semaphore;
  /** By name: what this process is taking back. */
  readonly #inFlight = new Map<string, Promise<Outcome>>();
  /** The last trouble of each fault that was told. */
  readonly #told = new Map<string, string>();
  #known: (() => readonly HardwareFault[] | undefined) | undefined;

  constructor(options: Resolved) {
    this.#options = options;
    this.#permits = new Semaphore({ permits: options.concurrency });
  }

  async sweep(signal?: AbortSignal): Promise<SweepResult> {
    const faults = await this.#options.book.list();
    const begun = this.#begin(faults, signal);
    const outcomes = await Promise.all(
      begun.map(async ([name, outcome]) => [name, await outcome] as const),
    );
    await this.#collect(faults);
    return resultOf(outcomes);
  }

  async run(signal: AbortSignal): Promise<void> {
    const stop = new AbortController();
    // Every fault that is being taken back listens, and there may be many.
    setMaxListeners(0, stop.signal);
    const onAbort = () => stop.abort(signal.reason);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      await this.#follow(stop.signal);
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    const { book, clock, intervalMs, listEveryMs } = this.#options;
    const onFailure = (err: Error) => this.#tell("watch", messageOf(err), { err });
    // What is being taken back is mostly our own work, heard of late; each look sees it.
    const onChange = (fault: HardwareFault) => {
      if (fault.status?.state !== "reverting") this.#begin([fault], signal);
    };
    const view = book.watch(onChange, signal, { onFailure });
    this.#known = () => (view.freshness().state === "live" ? view.faults() : undefined);
    let listedMs = Number.NEGATIVE_INFINITY;
    let listing = Promise.resolve();
    try {
      while (!signal.aborted) {
        this.#begin(view.faults(), signal);
        if (clock.monotonicMs() - listedMs >= listEveryMs) {
          listedMs = clock.monotonicMs();
          listing = Promise.all([listing, this.#list(signal)]).then(() => undefined);
        }
        await sleep(clock, intervalMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#known = undefined;
      await Promise.all([view.stopped, listing, ...this.#inFlight.values()]);
    }
  }

  async revert(name: string, reason: EndReason): Promise<HardwareFault> {
    const { book, clock, revertTimeoutMs } = this.#options;
    const known = this.#known?.()?.find(({ metadata }) => metadata.name === name);
    let fault = await this.#endAndBegin(known ?? (await book.get(name)), reason);
    const untilMs = clock.monotonicMs() + revertTimeoutMs;
    for (let look = 0; isLive(fault); look++) {
      // One that failed before is tried once more, if its pause is over.
      if (look > 0 && fault.status?.state === "revert-failed") break;
      if (clock.monotonicMs() >= untilMs)
        throw new TesseraError("E_HW_TIMEOUT", {
          what: `Taking back the fault ${name}`,
          seconds: revertTimeoutMs / 1_000,
          seen: `it is ${fault.status?.state ?? "planned"}`,
        });
      const [begun] = this.#begin([fault]);
      const outcome = await begun?.[1];
      if (outcome !== undefined && !(outcome instanceof Error)) fault = outcome;
      else {
        await sleep(clock, lookMs);
        fault = await book.get(name);
      }
    }
    return fault;
  }

  /** Ends a fault and begins in one write where it can; else it is ended for whoever can. */
  async #endAndBegin(fault: HardwareFault, reason: EndReason): Promise<HardwareFault> {
    const { book, clock, by } = this.#options;
    const { name = "" } = fault.metadata;
    const end = (status: HardwareFaultStatus) =>
      ended(status, reason, { by, nowMs: clock.nowMs() });
    const status = fault.status === undefined ? undefined : end(fault.status);
    const asEnded = status === undefined ? fault : { ...fault, status };
    const isDue = dueFaults([asEnded], clock.nowMs(), this.#ports(undefined)).length > 0;
    if (status !== undefined && isDue && !this.#inFlight.has(name)) {
      const outcome = await this.#start(this.#ports(undefined), fault, { reason, asked: reason });
      if (!(outcome instanceof Error)) return outcome;
    }
    return await book.change(name, end);
  }

  /** What the watch may have missed; a failure is told, and tried again like everything else. */
  async #list(signal: AbortSignal): Promise<void> {
    try {
      const faults = await this.#options.book.list();
      this.#begin(faults, signal);
      await this.#collect(faults);
    } catch (err) {
      if (!signal.aborted) this.#tell("list", messageOf(err), { err });
    }
  }

  /** Starts on what is due and not being taken back already; returns those and their outcomes. */
  #begin(
    faults: readonly HardwareFault[],
    signal?: AbortSignal,
  ): readonly (readonly [string, Promise<Outcome>])[] {
    const ports = this.#ports(signal);
    const due = dueFaults(faults, this.#options.clock.nowMs(), ports);
    return due.map(({ fault, reason }) => {
      const { name = "" } = fault.metadata;
      const running = this.#inFlight.get(name);
      if (running !== undefined) return [name, running] as const;
      return [name, this.#start(ports, fault, { reason })] as const;
    });
  }

  #start(ports: RevertPorts, fault: HardwareFault, why: Why): Promise<Outcome> {
    const { name = "" } = fault.metadata;
    const outcome = this.#revert(ports, fault, why).finally(() => this.#inFlight.delete(name));
    this.#inFlight.set(name, outcome);
    return outcome;
  }

  /** Never rejects: one fault's trouble is not another's. */
  async #revert(ports: RevertPorts, fault: HardwareFault, why: Why): Promise<Outcome> {
    const { name = "" } = fault.metadata;
    const { reason, asked } = why;
    try {
      const over = await this.#permits.run(() => revertOne(ports, fault, asked), ports.signal);
      this.#report(over, reason);
      return over;
    } catch (error) {
      const err = error instanceof Error ? error : new Error(String(error));
      const gone = error instanceof TesseraError && error.code === "E_HW_FAULT_UNKNOWN";
      if (!gone && ports.signal?.aborted !== true) this.#tell(name, messageOf(err), { err });
      return err;
    }
  }

  #report(fault: HardwareFault, reason: EndReason): void {
    const { log, by } = this.#options;
    const { name = "" } = fault.metadata;
    const { state, message, history } = fault.status ?? {};
    if (history?.at(-1)?.by !== by) return;
    if (state === "revert-failed") return this.#tell(name, message ?? "", { fault: name });
    this.#told.delete(name);
    if (state === "reverted" || state === "failed")
      log.info(
        { fault: name, reason, state, ...(message === undefined ? {} : { message }) },
        "a fault was taken back",
      );
  }

  /** The same trouble once, not at every look. */
  #tell(about: string, message: string, fields: object): void {
    if (this.#told.get(about) === message) return;
    if (this.#told.size >= 1_000) this.#told.clear();
    this.#told.set(about, message);
    this.#options.log.warn({ ...fields, about, message }, "taking back is in trouble");
  }

  async #collect(faults: readonly HardwareFault[]): Promise<void> {
    const { client, clock, collects } = this.#options;
    if (collects !== true) return;
    for (const fault of faults) {
      if (isCollectable(fault, clock.nowMs())) await collect(client, fault);
    }
  }

  #ports(signal: AbortSignal | undefined): RevertPorts {
    const { book, client, clock, by, owns, disarm, node, settleMs } = this.#options;
    const known = this.#known;
    const disarms = (entry: UndoEntry) =>
      disarm !== undefined &&
      entry.kind === "control" &&
      (node === undefined || entry.node === node);
    return {
      book,
      client,
      clock,
      by,
      owns,
      disarms,
      ...(disarm === undefined ? {} : { disarm }),
      ...(known === undefined ? {} : { known }),
      ...(settleMs === undefined ? {} : { settleMs }),
      ...(signal === undefined ? {} : { signal }),
    };
  }
}

function resultOf(outcomes: readonly (readonly [string, Outcome])[]): SweepResult {
  const reverted: string[] = [];
  const failed: { name: string; message: string }[] = [];
  const others: string[] = [];
  for (const [name, outcome] of outcomes) {
    if (outcome instanceof Error) failed.push({ name, message: messageOf(outcome) });
    else if (!isLive(outcome)) reverted.push(name);
    else if (outcome.status?.state === "revert-failed")
      failed.push({ name, message: outcome.status.message ?? "" });
    else others.push(name);
  }
  return { reverted, failed, others };
}
