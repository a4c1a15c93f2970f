import type { FaultService, TestFault } from "../../../../src/hardware/harness/index.ts";
import { TesseraError } from "../../../../src/platform/errors/index.ts";

/** A fault API in memory. What was asked of it is in `calls`. */
export class FakeFaults implements FaultService {
  readonly calls: string[] = [];
  readonly faults = new Map<string, TestFault>();
  readonly requests: Parameters<FaultService["inject"]>[0][] = [];
  /** Methods that fail as if nobody answered. */
  readonly unreachable = new Set<string>();
  /** The state that a new fault has. */
  injectedState: TestFault["state"] = "injected";
  /** What taking back makes of a fault. */
  revertedState: TestFault["state"] = "reverted";
  onInject: (request: Parameters<FaultService["inject"]>[0]) => void = () => {};

  async plan(request: Parameters<FaultService["plan"]>[0]): ReturnType<FaultService["plan"]> {
    this.#ask("plan", request.action.kind);
    return { allowed: true, findings: [], plan: {}, text: `plan of ${request.action.kind}` };
  }

  async inject(request: Parameters<FaultService["inject"]>[0]): Promise<TestFault> {
    this.#ask("inject", request.action.kind);
    this.requests.push(request);
    const id = request.name ?? "";
    const { action } = request;
    const node = "node" in action ? action.node : null;
    const fault: TestFault = {
      id,
      node,
      kind: action.kind,
      state: this.injectedState,
      message: this.injectedState === "failed" ? "no such GPU" : null,
      endReason: null,
      injectedAt: null,
      sightings: [],
      left: [],
    };
    this.faults.set(id, fault);
    this.onInject(request);
    return fault;
  }

  async renew(run: string): Promise<void> {
    this.#ask("renew", run);
  }

  async revert(id: string): Promise<void> {
    this.#ask("revert", id);
    this.#end(id);
  }

  async revertRun(run: string): Promise<void> {
    this.#ask("revertRun", run);
    for (const id of this.faults.keys()) this.#end(id);
  }

  async releaseSpec(id: string): Promise<void> {
    this.#ask("releaseSpec", id);
  }

  async get(id: string): Promise<TestFault> {
    this.#ask("get", id, false);
    const found = this.faults.get(id);
    if (found === undefined) throw new TesseraError("E_HW_FAULT_UNKNOWN", { id });
    return found;
  }

  async list(): Promise<readonly TestFault[]> {
    this.#ask("list", "", false);
    return [...this.faults.values()];
  }

  #end(id: string): void {
    const found = this.faults.get(id);
    if (found !== undefined) this.faults.set(id, { ...found, state: this.revertedState });
  }

  #ask(method: string, about: string, isNoted = true): void {
    if (this.unreachable.has(method)) {
      const details = { where: "http://127.0.0.1:1", problem: "connection refused" };
      throw new TesseraError("E_HW_API_UNREACHABLE", details);
    }
    if (isNoted) this.calls.push(`${method} ${about}`.trim());
  }
}
