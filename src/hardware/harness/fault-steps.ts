import { TesseraError } from "../../platform/errors/index.ts";
import type { PlanAnswer } from "../api/index.ts";
import type { CudaFault, GpuChoice, WorkloadRef, XidLine } from "../objects/index.ts";
import { needsRestart, releaseEffect } from "../workload/index.ts";
import { sequenceLines, xidEntry } from "../xid/index.ts";
import type { TestFault } from "./fault-service.ts";
import type { HwFaultManager } from "./hw-fault-manager.ts";
import { shimIsIn } from "./pods-wanted.ts";
import type { WorkloadView } from "./workload-view.ts";

/** How an XID is injected. */
export interface XidOptions {
  /** @default the XID of the test */
  readonly xid?: number;
  /** @default the first GPU of the node */
  readonly gpu?: GpuChoice;
  /** A known sequence of lines instead of one: `79-154`. */
  readonly sequence?: string;
  /** @default the target node */
  readonly node?: string;
}

export interface FaultStepsOptions {
  readonly manager: HwFaultManager;
  readonly workload: WorkloadRef;
  readonly view: WorkloadView;
  readonly xid: number;
  readonly say: (text: string) => void;
}

/** What the passthrough of a run is called; a run has one, as its workload has. */
export function passthroughName(run: string): string {
  return `${run}-passthrough`;
}

/** The faults of a test, in the order that a test needs them. */
export class FaultSteps {
  readonly #options: FaultStepsOptions;
  #xid: number;
  #passthrough: string | undefined;
  #cuda: string | undefined;

  constructor(options: FaultStepsOptions) {
    this.#options = options;
    this.#xid = options.xid;
  }

  /** The XID that faults have which name none. */
  get xid(): number {
    return this.#xid;
  }

  /** Puts the shim into the pods and waits until the new ones serve. Once is enough. */
  async setUp(xid = this.#xid): Promise<void> {
    const { manager, workload, view, say } = this.#options;
    this.#xid = xid;
    if (this.#passthrough !== undefined) return;
    const preferNode = await view.targetNode();
    say(needsRestart(workload));
    // A Job's template never changes again: its pods are where they are.
    const preferred = workload.kind === "job" ? {} : { preferNode };
    const action = { kind: "passthrough" as const, workload: plain(workload), ...preferred };
    const { id } = await manager.inject(action, { name: passthroughName(manager.run) });
    this.#passthrough = id;
    await view.waitForPods("That pods with the shim serve", (pods) => shimIsIn(pods, view.wanted));
  }

  /** Arms or disarms CUDA errors on the target node. Restarts nothing. */
  async toggle(on: boolean, fault: Partial<CudaFault>): Promise<void> {
    const { manager, workload, view } = this.#options;
    if (!on) {
      const armed = this.#cuda;
      this.#cuda = undefined;
      if (armed !== undefined) await manager.revert(armed);
      return;
    }
    if (this.#passthrough === undefined) {
      const problem = "no pod has the shim; setupCudaPassthrough comes first";
      throw new TesseraError("E_HW_REFUSED", { what: "Arming CUDA errors", problem });
    }
    if (this.#cuda !== undefined) return;
    const { gpus, ...rest } = { xid: this.#xid, ...fault };
    const made = await manager.inject({
      kind: "cuda",
      node: await view.targetNode(),
      workload: plain(workload),
      fault: { ...rest, ...(gpus === undefined ? {} : { gpus: [...gpus] }) },
    });
    this.#cuda = made.id;
  }

  /** What the faults of a test would do: the passthrough, CUDA errors where there are any, the XID. */
  async plan(options: XidOptions): Promise<readonly PlanAnswer[]> {
    const { manager, workload, view } = this.#options;
    const node = await view.targetNode();
    const { xid = this.#xid } = options;
    const ref = plain(workload);
    const hasCuda = (xidEntry(xid)?.cuda ?? null) !== null;
    const actions = [
      { kind: "passthrough" as const, workload: ref, preferNode: node },
      { kind: "cuda" as const, node, workload: ref, fault: { xid } },
    ];
    const answers: PlanAnswer[] = [];
    for (const action of hasCuda ? actions : []) answers.push(await manager.plan(action));
    answers.push(await manager.plan(await this.#xidAction(options)));
    return answers;
  }

  /** Writes an XID, or a sequence, into the kernel log of a node. */
  async injectXid(options: XidOptions): Promise<TestFault> {
    return await this.#options.manager.inject(await this.#xidAction(options));
  }

  /** Takes the shim out of the workload's spec and leaves its pods alone. */
  async release(): Promise<void> {
    const { manager, workload, say } = this.#options;
    if (this.#passthrough === undefined) return;
    say(releaseEffect(workload));
    await manager.releaseSpec(this.#passthrough);
  }

  async #xidAction({ xid = this.#xid, gpu = { index: 0 }, sequence, node }: XidOptions) {
    const lines: readonly XidLine[] = sequence === undefined ? [{ xid }] : sequenceLines(sequence);
    return {
      kind: "xid" as const,
      node: node ?? (await this.#options.view.targetNode()),
      gpu,
      lines: lines.map((line) => ({ ...line })),
    };
  }
}

/** As a request has it: lists that nobody else holds. */
function plain({ custom, ...rest }: WorkloadRef) {
  if (custom === undefined) return rest;
  return { ...rest, custom: { ...custom, templatePaths: [...custom.templatePaths] } };
}
