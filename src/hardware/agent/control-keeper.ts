import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { Semaphore } from "../../platform/concurrency/index.ts";
import { messageOf } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import {
  type ControlUndo,
  type CudaAction,
  type HardwareFault,
  shimPaths,
} from "../objects/index.ts";
import type { AgentLog, CudaCodes, FaultNotes, ShimPort, XidPort } from "./agent-options.ts";
import type { ArmedScopes } from "./armed-scopes.ts";
import { cudaOwners, endsAtMs, type FaultOf, isEnding, isInForce, liveScopes } from "./in-force.ts";

export interface ControlKeeperOptions {
  readonly node: string;
  readonly folder: string;
  readonly shim: ShimPort;
  readonly xid: XidPort;
  readonly notes: FaultNotes;
  readonly armed: ArmedScopes;
  readonly clock: Clock;
  readonly log: AgentLog;
  /** The faults as they are now. */
  readonly faults: () => readonly HardwareFault[];
  /** Why pods of this node cannot have the shim; undefined when they can. */
  readonly shimProblem: string | undefined;
}

const scopesMax = 10_000;
/** Calls only get slower: no error is ever answered. */
const noCodes: CudaCodes = { inFlight: 0, onInit: 0, sticky: false };

/** Makes the control blocks of a node what the faults say, again and again. */
export class ControlKeeper {
  readonly #options: ControlKeeperOptions;
  readonly #made = new Set<string>();
  /** Faults that have ended though the view does not have it yet: they are not armed again. */
  readonly #over = new Set<string>();
  /** One change of the blocks after the other: a fault ends while the next one begins. */
  readonly #turn = new Semaphore({ permits: 1 });

  constructor(options: ControlKeeperOptions) {
    this.#options = options;
  }

  /** Disarms every block on the disk that no fault in force owns. Once, when the faults are known. */
  async sweep(): Promise<void> {
    const { armed, log, shim } = this.#options;
    const { owners } = this.#owners();
    for (const scope of await this.#scopesOnDisk()) {
      const state = await this.#read(scope);
      const owner = owners.get(scope)?.metadata.name;
      // One that the agent before has armed for the same fault goes on as it is.
      const isKept = owner !== undefined && armed.get(scope)?.fault === owner;
      if (isKept && state !== "damaged" && state?.armed === true) continue;
      await armed.forget(scope);
      if (state !== "damaged" && state?.armed !== true) continue;
      log.warn({ scope }, "disarmed a control block that belongs to no fault in force");
      await shim.disarmControl(this.#path(scope));
    }
  }

  /** Once for each look at the faults. */
  reconcile(): Promise<void> {
    return this.#turn.run(() => this.#reconcile());
  }

  /**
   * For whoever takes a fault back: a block that already serves the next fault stays as it is. Whether
   * it does is asked afresh, for the view may not have the end of the one that is taken back.
   */
  disarm({ node, scope }: Pick<ControlUndo, "node" | "scope">): Promise<void> {
    return this.#turn.run(async () => {
      if (node !== this.#options.node) return;
      const serves = this.#options.armed.get(scope)?.fault;
      const owner = this.#owners().owners.get(scope)?.metadata.name;
      if (owner !== undefined && owner !== serves) await this.#isInForce(owner);
      if (serves === undefined || !(await this.#isInForce(serves))) await this.#disarm(scope);
    });
  }

  async #isInForce(name: string): Promise<boolean> {
    const { clock, notes } = this.#options;
    const fault = await notes.get(name);
    const result = fault !== undefined && isInForce(fault, clock.nowMs());
    if (!result) this.#over.add(name);
    return result;
  }

  async #reconcile(): Promise<void> {
    const { armed, faults, notes } = this.#options;
    for (const scope of liveScopes(faults()).slice(0, scopesMax)) await this.#make(scope);
    const { owners, late } = this.#owners();
    for (const scope of armed.scopes) {
      if (!owners.has(scope)) await this.#disarm(scope);
    }
    for (const [scope, fault] of owners) await this.#keep(scope, fault);
    for (const { metadata, spec } of late) {
      const { scope } = spec.action;
      const first = owners.get(scope)?.metadata.name ?? "another fault";
      await notes.failed(metadata.name ?? "", `${first} has the control block of ${scope}`);
    }
  }

  async #keep(scope: string, fault: FaultOf<CudaAction>): Promise<void> {
    const { armed, log, notes, shim } = this.#options;
    const name = fault.metadata.name ?? "";
    const untilMs = endsAtMs(fault);
    const known = armed.get(scope);
    try {
      if (known?.fault !== name) await this.#arm(scope, fault);
      else if (known.untilMs !== untilMs) {
        await shim.renewControl(this.#path(scope), { expiresAtMs: untilMs });
        await armed.set(scope, { fault: name, untilMs });
      }
    } catch (err) {
      log.error({ err, fault: name, scope }, "the control block could not be armed");
      // Whatever the block is now, the next look arms it anew.
      await armed.forget(scope);
      if (fault.status?.state === "armed") await notes.failed(name, messageOf(err));
      return;
    }
    if (fault.status?.state === "armed") await notes.injected(name);
  }

  async #arm(scope: string, { metadata, spec, ...rest }: FaultOf<CudaAction>): Promise<void> {
    const { armed, clock, shim, shimProblem, xid } = this.#options;
    if (shimProblem !== undefined) throw new Error(shimProblem);
    const { fault } = spec.action;
    const codes = fault.latencyUs === undefined ? xid.codesOf(fault.xid) : noCodes;
    const expiresAtMs = endsAtMs({ metadata, spec, ...rest });
    await this.#make(scope);
    await shim.armControl(this.#path(scope), { fault, codes, expiresAtMs, nowMs: clock.nowMs() });
    await armed.set(scope, { fault: metadata.name ?? "", untilMs: expiresAtMs });
  }

  async #disarm(scope: string): Promise<void> {
    await this.#options.shim.disarmControl(this.#path(scope));
    await this.#options.armed.forget(scope);
  }

  async #read(scope: string) {
    const { log, shim } = this.#options;
    try {
      return await shim.readControl(this.#path(scope));
    } catch (err) {
      log.warn({ err, scope }, "a control block cannot be read");
      return "damaged";
    }
  }

  async #make(scope: string): Promise<void> {
    if (this.#made.has(scope)) return;
    await this.#options.shim.ensureControl(this.#path(scope));
    this.#made.add(scope);
  }

  #owners() {
    const { clock, faults, node } = this.#options;
    const known = faults();
    const inForce = new Set(known.flatMap((each) => (isEnding(each) ? [] : each.metadata.name)));
    for (const name of this.#over) if (!inForce.has(name)) this.#over.delete(name);
    const current = known.filter(({ metadata }) => !this.#over.has(metadata.name ?? ""));
    return cudaOwners(current, { node, nowMs: clock.nowMs() });
  }

  #path(scope: string): string {
    return this.#options.shim.controlPath(this.#options.folder, scope);
  }

  async #scopesOnDisk(): Promise<readonly string[]> {
    const folder = join(this.#options.folder, shimPaths.scopes);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return names.toSorted().slice(0, scopesMax);
  }
}
