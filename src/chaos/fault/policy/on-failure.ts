import { messageOf } from "../../../platform/errors/index.ts";
import { type Clock, createRealClock, sleep } from "../../../platform/time/index.ts";
import { type DeviceId, Mesh } from "../../../runtime/dist/mesh/index.ts";
import { checkOnFailure } from "./check-options.ts";
import { IntegrityBook } from "./integrity-book.ts";
import { isBackNow, isFailure, lostDevices } from "./lost-devices.ts";
import type { Attempt, OnFailureOptions, PolicyEvent, PolicyResult, Restored } from "./options.ts";

const maxRetriesDefault = 3;
const waitMsDefault = 60_000;
const pollMs = 100;

/**
 * Runs a function that trains, and does what the policy says when a part of its machines is lost. A result
 * means that the function came to its end; only `integrity: "equal"` means that it came to the right one.
 *
 * @throws E_FAULT_INVALID for options that do not fit together; the function's own error when it is no
 * failure of this kind, when the policy gives up, or after `maxRetries`.
 */
export async function onFailure<T, State = unknown>(
  options: OnFailureOptions<State, T>,
  fn: (attempt: Attempt<State>) => T | Promise<T>,
): Promise<PolicyResult<T>> {
  checkOnFailure(options as OnFailureOptions<unknown, unknown>);
  return new PolicyRun(options, fn).run();
}

const pathOf = {
  failFast: "none",
  drainThenResume: "checkpointRestart",
  pauseForManual: "manual",
  shrink: "shrink",
  spare: "spare",
} as const;

class PolicyRun<State, T> {
  readonly #options: OnFailureOptions<State, T>;
  readonly #fn: (attempt: Attempt<State>) => T | Promise<T>;
  readonly #clock: Clock;
  readonly #events: PolicyEvent[] = [];
  readonly #book: IntegrityBook<State, T>;
  #mesh: Mesh | undefined;
  #spares: readonly DeviceId[];
  #number = 1;
  #firstFailureMs: number | null = null;
  #recoveredMs: number | null = null;

  constructor(
    options: OnFailureOptions<State, T>,
    fn: (attempt: Attempt<State>) => T | Promise<T>,
  ) {
    this.#options = options;
    this.#fn = fn;
    this.#clock = options.clock ?? createRealClock();
    this.#mesh = options.mesh;
    this.#spares = options.spares ?? [];
    this.#book = new IntegrityBook(options.integrity ?? {});
  }

  async run(): Promise<PolicyResult<T>> {
    const { maxRetries = maxRetriesDefault, isFailure: isOurs = isFailure } = this.#options;
    let state: State | undefined;
    while (true) {
      try {
        const attempt = { number: this.#number, mesh: this.#mesh, state };
        return await this.#completed(await this.#fn(attempt));
      } catch (error) {
        if (!(error instanceof Error) || !isOurs(error)) throw error;
        this.#note("failed", messageOf(error));
        this.#firstFailureMs ??= this.#clock.monotonicMs();
        if (this.#number > maxRetries) throw error;
        state = (await this.#recover(error))?.state;
        this.#recoveredMs = this.#clock.monotonicMs();
        this.#number++;
      }
    }
  }

  async #recover(error: Error): Promise<Restored<State> | undefined> {
    const { policy, drain, restore } = this.#options;
    if (policy === "failFast") throw error;
    await drain?.(error);
    this.#note("drained", "what was under way has stopped");
    if (policy === "pauseForManual") await this.#askPerson(error);
    if (policy === "drainThenResume") await this.#waitUntilBack(error);
    if (policy === "shrink" || policy === "spare") this.#reform(error);
    const restored = await restore?.(this.#mesh);
    const from = restored === undefined ? "the beginning" : "the last committed checkpoint";
    if (restored !== undefined) await this.#book.compareRestored(restored, error);
    this.#note("restored", `goes on from ${from}`);
    return restored;
  }

  async #askPerson(error: Error): Promise<void> {
    this.#note("paused", "waits for a person");
    const decision = await this.#options.resume?.(error);
    if (decision !== "resume") throw error;
  }

  async #waitUntilBack(error: Error): Promise<void> {
    const { waitMs = waitMsDefault } = this.#options;
    const isBack = this.#options.isBack ?? ((one) => isBackNow(one, this.#mesh));
    const deadlineMs = this.#clock.monotonicMs() + waitMs;
    while (!(await isBack(error))) {
      if (this.#clock.monotonicMs() >= deadlineMs) throw error;
      await sleep(this.#clock, pollMs);
    }
    this.#note("back", "what was lost is back");
  }

  #reform(error: Error): void {
    const { policy, along } = this.#options;
    const mesh = this.#mesh;
    const lost = lostDevices(error).filter((one) => mesh?.rankOfDevice(one) !== undefined);
    // A failure that took nobody away needs no other mesh, only another try.
    if (mesh === undefined || lost.length === 0) return;
    if (policy === "shrink") {
      if (lost.length === mesh.size) throw error;
      this.#mesh = mesh.without(lost, along === undefined ? {} : { along });
    } else {
      this.#mesh = this.#withSpares(mesh, lost, error);
    }
    const left = `${this.#mesh.size} of ${mesh.size} devices`;
    this.#note("reformed", `goes on with ${left}, without ${lost.join(", ")}`);
  }

  #withSpares(mesh: Mesh, lost: readonly DeviceId[], error: Error): Mesh {
    if (this.#spares.length < lost.length) throw error;
    const taken = new Map(lost.map((device, at) => [device, this.#spares[at] ?? device]));
    this.#spares = this.#spares.slice(lost.length);
    const { axes, shape, topology } = mesh;
    const devices = mesh.devices.map((device) => taken.get(device) ?? device);
    return new Mesh({ axes, shape, devices, ...(topology === undefined ? {} : { topology }) });
  }

  async #completed(value: T): Promise<PolicyResult<T>> {
    await this.#book.compareResult(value);
    this.#note("completed", `attempt ${this.#number} came to its end`);
    const [failedMs, recoveredMs] = [this.#firstFailureMs, this.#recoveredMs];
    const { integrity, reason } = this.#book.verdict();
    return {
      value,
      attempts: this.#number,
      path: failedMs === null ? "none" : pathOf[this.#options.policy],
      integrity,
      reason,
      recoveryMs: failedMs === null || recoveredMs === null ? null : recoveredMs - failedMs,
      mesh: this.#mesh,
      events: this.#events,
    };
  }

  #note(kind: PolicyEvent["kind"], reason: string): void {
    const event = { kind, attempt: this.#number, atMs: this.#clock.monotonicMs(), reason };
    this.#events.push(event);
    this.#options.onEvent?.(event);
  }
}
