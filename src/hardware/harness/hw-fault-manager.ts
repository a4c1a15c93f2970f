import { isTesseraError, messageOf, TesseraError } from "../../platform/errors/index.ts";
import { type Clock, withDeadline } from "../../platform/time/index.ts";
import type { FaultRequestInput, PlanAnswer } from "../api/index.ts";
import type { FaultState } from "../objects/index.ts";
import { type FaultService, isInForce, type TestFault } from "./fault-service.ts";
import { type LeaseKeeper, startLeaseKeeper } from "./lease-keeper.ts";
import { waitFor } from "./wait-for.ts";

export interface HwFaultManagerOptions {
  readonly faults: FaultService;
  readonly clock: Clock;
  /** The name of this test; all its faults are renewed and taken back together. */
  readonly run: string;
  /** The namespace under test. */
  readonly namespace: string;
  /** How long faults live when this process does not. @default 15 */
  readonly leaseSeconds?: number;
  /** However often the lease is renewed, a fault ends after this long. @default 1800 */
  readonly durationSeconds?: number;
  /** A detector may really restart or replace the machine. @default false */
  readonly allowRealReboot?: boolean;
  /** Gets a line for each step and each thing that goes wrong in the background. */
  readonly say?: (text: string) => void;
  /** Ends every wait. Taking back is not ended by it. */
  readonly signal?: AbortSignal;
}

type Action = FaultRequestInput["action"];

/** Longer than the API's client waits for an answer; for a service that has no limit of its own. */
const injectTimeoutMs = 60_000;
/** How long taking back waits for an injection under way. */
const settleTimeoutMs = 15_000;

const injectedStates: readonly FaultState[] = ["injected", "observed"];

/**
 * The faults of one test: makes them, keeps them in force while this process lives, and takes them
 * back. Knows nothing of Kubernetes beyond what the fault API tells.
 */
export class HwFaultManager implements AsyncDisposable {
  readonly run: string;
  readonly #options: Required<Omit<HwFaultManagerOptions, "signal">>;
  readonly #signal: AbortSignal | undefined;
  /** Those that were made and not taken back one by one; there is no lease to renew without any. */
  readonly #inForce = new Set<string>();
  /** Injections that nobody has answered yet: what they make must not come after it was looked for. */
  readonly #underWay = new Set<Promise<unknown>>();
  #lease: LeaseKeeper | undefined;
  #count = 0;
  #isRestored = true;
  #reverting: Promise<readonly TestFault[]> | undefined;

  constructor(options: HwFaultManagerOptions) {
    const { signal, ...given } = options;
    this.run = options.run;
    this.#signal = signal;
    this.#options = {
      leaseSeconds: 15,
      durationSeconds: 1800,
      allowRealReboot: false,
      say: () => {},
      ...given,
    };
  }

  /** What a fault would do, and whether it may be. Changes nothing. */
  async plan(action: Action): Promise<PlanAnswer> {
    return await this.#options.faults.plan(this.#request(action), this.#call());
  }

  /** Makes a fault and waits until it was carried out. @throws E_HW_FAILED when it was not. */
  async inject(
    action: Action,
    options: { readonly name?: string; readonly timeoutMs?: number } = {},
  ): Promise<TestFault> {
    this.#assertUsable();
    this.#lease ??= this.#keepLease();
    this.#count++;
    this.#isRestored = false;
    // The name makes a repeated request the same fault.
    const { name = `${this.run}-${action.kind}-${this.#count}` } = options;
    const request = { ...this.#request(action), name };
    this.#inForce.add(name);
    const making = this.#make(request, name);
    // An abort ends the wait and not the request: a fault whose answer nobody heard may still come.
    const what = `The injection of fault ${name}`;
    const { clock } = this.#options;
    const limits = { clock, timeoutMs: injectTimeoutMs, what, ...this.#call() };
    const made = await withDeadline(limits, () => making);
    return await this.waitForState(made.id, injectedStates, options);
  }

  /**
   * Waits until a fault is in one of these states.
   *
   * @throws E_HW_FAILED when it failed or is being taken back instead, E_HW_TIMEOUT.
   */
  async waitForState(
    name: string,
    states: readonly FaultState[],
    options: { readonly timeoutMs?: number } = {},
  ): Promise<TestFault> {
    const { faults, clock } = this.#options;
    const { timeoutMs = 30_000 } = options;
    const what = `That fault ${name} is ${states.join(" or ")}`;
    const waiting = { what, clock, timeoutMs, intervalMs: 200, signal: this.#signal };
    const found = await waitFor(waiting, async () => {
      const fault = await faults.get(name, this.#call());
      const holds = states.includes(fault.state);
      if (!holds && isOver(fault.state)) throw failedError(fault);
      return { holds, seen: `it is ${fault.state}`, fault };
    });
    return found.fault;
  }

  /** Takes one fault back and waits until it is. */
  async revert(name: string, options: { readonly timeoutMs?: number } = {}): Promise<TestFault> {
    const { faults } = this.#options;
    await faults.revert(name, this.#call());
    const fault = await this.#reverted(name, options);
    this.#inForce.delete(name);
    return fault;
  }

  /** Takes a passthrough out of the workload's spec without restarting its pods. */
  async releaseSpec(name: string): Promise<void> {
    await this.#options.faults.releaseSpec(name, this.#call());
  }

  /** All faults of this run. */
  async list(): Promise<readonly TestFault[]> {
    return await this.#options.faults.list(this.#own(), this.#call());
  }

  /**
   * Takes back every fault of the run and waits until all are. Does not listen to the signal: this
   * is what happens after it. May be called again; what was left is tried again.
   *
   * @returns the faults of the run as they are afterwards; none where none was made since.
   * @throws E_HW_FAILED naming those that are not taken back; the lease then ends them.
   */
  revertAll(options: { readonly timeoutMs?: number } = {}): Promise<readonly TestFault[]> {
    const reverting = this.#reverting ?? this.#revertAll(options);
    this.#reverting = reverting;
    const forget = () => {
      if (this.#reverting === reverting) this.#reverting = undefined;
    };
    reverting.then(forget, forget);
    return reverting;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.revertAll();
  }

  async #revertAll({ timeoutMs }: { readonly timeoutMs?: number }) {
    if (this.#isRestored) return [];
    const { faults, clock, leaseSeconds, say } = this.#options;
    try {
      await this.#injectionsSettled();
      await faults.revertRun(this.run);
      const limitMs = timeoutMs ?? (leaseSeconds + 5) * 1000 + 30_000;
      const what = `That everything of run ${this.run} is taken back`;
      const { all } = await waitFor(
        { what, clock, timeoutMs: limitMs, intervalMs: 250 },
        async () => {
          const all = await faults.list(this.#own());
          const live = all.filter(isInForce);
          // Made by an injection that came to an end only after it was asked for.
          if (live.some(({ state }) => !isOver(state))) await faults.revertRun(this.run);
          const seen = live.map((fault) => `${fault.id} is ${fault.state}`).join(", ");
          return { holds: live.length === 0, seen, all };
        },
      );
      if (this.#underWay.size > 0) {
        const problem = `${this.#underWay.size} of its faults are still being made`;
        throw new TesseraError("E_HW_FAILED", { what: `Run ${this.run}`, problem });
      }
      this.#inForce.clear();
      this.#isRestored = true;
      say(`everything of run ${this.run} is taken back`);
      return all;
    } catch (error) {
      const problem = `${messageOf(error)}; what is still in force ends with its lease of ${leaseSeconds} s`;
      const details = { what: `Taking back run ${this.run}`, problem };
      throw new TesseraError("E_HW_FAILED", details, { cause: error });
    } finally {
      // Without renewals the reapers end whatever this could not.
      const lease = this.#lease;
      this.#lease = undefined;
      await lease?.stop();
    }
  }

  async #make(request: FaultRequestInput, name: string): Promise<TestFault> {
    const making = this.#options.faults.inject(request);
    this.#underWay.add(making);
    try {
      return await making;
    } catch (error) {
      // Refused for certain; after any other failure it may be there all the same.
      if (isTesseraError(error) && error.httpStatus < 500) this.#inForce.delete(name);
      throw error;
    } finally {
      this.#underWay.delete(making);
    }
  }

  /** Waits until every injection under way has ended, well or not, but not for ever. */
  async #injectionsSettled(): Promise<void> {
    if (this.#underWay.size === 0) return;
    const { clock } = this.#options;
    const what = "The end of injections under way";
    await withDeadline({ clock, timeoutMs: settleTimeoutMs, what }, () =>
      Promise.allSettled(this.#underWay),
    ).catch(() => {});
  }

  /** With the namespace: whoever may read there is told of no faults, and not that they may not look. */
  #own() {
    return { run: this.run, namespace: this.#options.namespace };
  }

  #request(action: Action): FaultRequestInput {
    const { namespace, durationSeconds, leaseSeconds, allowRealReboot } = this.#options;
    const { run } = this;
    return { run, namespace, action, durationSeconds, leaseSeconds, allowRealReboot };
  }

  #keepLease(): LeaseKeeper {
    const { clock, leaseSeconds, faults, say } = this.#options;
    const renew = async (signal: AbortSignal) => {
      if (this.#inForce.size > 0) await faults.renew(this.run, { signal });
    };
    return startLeaseKeeper({ clock, leaseSeconds, renew, say });
  }

  #assertUsable(): void {
    this.#signal?.throwIfAborted();
    const isLost = this.#lease?.isLost === true;
    if (!isLost && this.#reverting === undefined) return;
    const problem = `${isLost ? "its lease is lost, and " : ""}its faults are being taken back`;
    throw new TesseraError("E_HW_FAILED", { what: `Run ${this.run}`, problem });
  }

  async #reverted(
    name: string,
    { timeoutMs = 60_000 }: { readonly timeoutMs?: number },
  ): Promise<TestFault> {
    const { faults, clock } = this.#options;
    const what = `That fault ${name} is taken back`;
    const waiting = { what, clock, timeoutMs, intervalMs: 200, signal: this.#signal };
    const { fault } = await waitFor(waiting, async () => {
      const fault = await faults.get(name, this.#call());
      return { holds: !isInForce(fault), seen: `it is ${fault.state}`, fault };
    });
    return fault;
  }

  #call() {
    return this.#signal === undefined ? {} : { signal: this.#signal };
  }
}

function isOver(state: FaultState): boolean {
  return ["failed", "reverting", "reverted", "revert-failed"].includes(state);
}

function failedError(fault: TestFault): TesseraError {
  const { id, state, message, endReason } = fault;
  const why = message ?? (endReason === null ? "nobody said why" : `it ended: ${endReason}`);
  return new TesseraError("E_HW_FAILED", {
    what: `Fault ${id}`,
    problem: `it is ${state}: ${why}`,
  });
}
