import { isTesseraError, messageOf, TesseraError } from "../../platform/errors/index.ts";
import type { KubeObject } from "../../platform/kube/index.ts";
import { withDeadline } from "../../platform/time/index.ts";
import type { PlanAnswer } from "../api/index.ts";
import type { Cordon, CordonedBy } from "../detectors/index.ts";
import type { CudaFault, WorkloadRef } from "../objects/index.ts";
import { workloadName } from "../workload/index.ts";
import { disposeAll } from "./dispose-all.ts";
import type { TestFault } from "./fault-service.ts";
import { FaultSteps, passthroughName, type XidOptions } from "./fault-steps.ts";
import { HwFaultManager } from "./hw-fault-manager.ts";
import { type Ask, createAsk } from "./inference.ts";
import { createWorkload, deleteWorkload, madeUid, workloadRef } from "./made-workload.ts";
import { openHarness } from "./open-harness.ts";
import type { ManagedDeploymentOptions, OpenedHarness } from "./options.ts";
import type { RecoveryRecord } from "./recovery/index.ts";
import { RecoveryMeasurement, type SamplingOptions } from "./recovery-measurement.ts";
import { WorkloadView } from "./workload-view.ts";

/** What is known of a test so far. */
export interface TestMetrics {
  readonly run: string;
  readonly faults: readonly TestFault[];
  /** Undefined before a measurement has ended. */
  readonly recovery: RecoveryRecord | undefined;
}

/**
 * A workload under test. `await using d = await ManagedDeployment.start({ ... })`: leaving the scope
 * for any reason takes every fault back and waits for it. A process that is killed leaves it to the
 * lease, which others in the cluster watch.
 */
export class ManagedDeployment implements AsyncDisposable {
  readonly namespace: string;
  readonly workload: WorkloadRef;
  readonly #options: ManagedDeploymentOptions;
  readonly #opened: OpenedHarness;
  readonly #view: WorkloadView;
  readonly #hardware: { readonly manager: HwFaultManager; readonly steps: FaultSteps } | undefined;
  readonly #ask: Ask | undefined;
  #creation: Promise<KubeObject> | undefined;
  #measurement: RecoveryMeasurement | undefined;
  #recovery: RecoveryRecord | undefined;
  #disposal: Promise<void> | undefined;
  readonly #onAbort = () => {
    // Whoever holds the test hears of it when it leaves the scope; this only saves time.
    this[Symbol.asyncDispose]().catch((error: unknown) => this.#say(messageOf(error)));
  };

  private constructor(
    options: ManagedDeploymentOptions,
    opened: OpenedHarness,
    workload: WorkloadRef,
  ) {
    const { namespace, signal, request, readyTimeoutMs = 600_000, xid = 79 } = options;
    const { faults, clock } = opened;
    this.namespace = namespace;
    this.workload = workload;
    this.#options = options;
    this.#opened = opened;
    const cluster = opened.cluster(workload);
    const view = new WorkloadView({ cluster, workload, clock, readyTimeoutMs, signal });
    this.#view = view;
    if (faults !== undefined) {
      const say = (text: string) => this.#say(text);
      const manager = new HwFaultManager({ ...options, faults, clock, run: opened.run, say });
      this.#hardware = { manager, steps: new FaultSteps({ manager, workload, view, xid, say }) };
    }
    const pods = (aborted: AbortSignal) => cluster.pods(aborted);
    this.#ask = request && createAsk(request, { client: opened.client, namespace, pods });
  }

  /**
   * Opens the connections, makes the workload when it is given as a manifest, and waits until its
   * pods serve. What fails on the way is undone.
   */
  static async start(options: ManagedDeploymentOptions): Promise<ManagedDeployment> {
    const workload = workloadRef(options.namespace, options.workload);
    const opened = await openHarness(options);
    const deployment = new ManagedDeployment(options, opened, workload);
    try {
      await deployment.#begin();
      return deployment;
    } catch (error) {
      // What made it fail stands first; what could not be undone is said beside it.
      await disposeAll([() => Promise.reject(error), () => deployment[Symbol.asyncDispose]()]);
      throw error;
    }
  }

  /** The name of this test; `tessera hw list` shows it beside its faults. */
  get run(): string {
    return this.#opened.run;
  }

  /** The faults of this test. @throws E_HW_DISABLED unless enabled. */
  get manager(): HwFaultManager {
    return this.#enabled().manager;
  }

  /** The node with most serving GPU pods of the workload; chosen once, then kept. */
  async getHwFaultTargetNode(): Promise<string> {
    return await this.#view.targetNode();
  }

  /**
   * Puts the shim into the pods. A template that changes replaces the pods: this says so, and waits
   * until the new ones serve. They prefer the target node. From then on nothing restarts a pod.
   */
  async setupCudaPassthrough(options: { readonly xid?: number } = {}): Promise<void> {
    await this.#enabled().steps.setUp(options.xid);
  }

  /** Arms or disarms CUDA errors in the workload's pods on the target node. No pod is restarted by it. */
  async toggleCudaFaults(on: boolean, fault: Partial<CudaFault> = {}): Promise<void> {
    const { steps } = this.#enabled();
    if (on) this.#measurement?.broken();
    await steps.toggle(on, fault);
  }

  /** What the faults of a test would do, and whether they may be. Changes nothing. */
  async planHwFault(options: XidOptions = {}): Promise<readonly PlanAnswer[]> {
    return await this.#enabled().steps.plan(options);
  }

  /** Writes an XID, or a sequence of them, into the kernel log of the target node. */
  async injectHwFault(_kind: "xid", options: XidOptions = {}): Promise<TestFault> {
    const { steps } = this.#enabled();
    this.#measurement?.injected();
    return await steps.injectXid(options);
  }

  /** Whether a node takes no new pods, and who closed it. @throws when the cluster cannot be asked. */
  async getNodeCordon(node: string): Promise<Cordon> {
    return await this.#view.cordon(node);
  }

  /**
   * Whether a node is cordoned: by anybody, or by the one named. A cluster that cannot be asked is an
   * error, never `false`.
   */
  async isNodeCordoned(node: string, options: { readonly by?: CordonedBy } = {}): Promise<boolean> {
    const { cordoned, by } = await this.getNodeCordon(node);
    return cordoned && (options.by === undefined || options.by === by);
  }

  /** Waits for a cordon, of three minutes at most unless told. @throws E_HW_TIMEOUT */
  async waitForNodeCordoned(
    node: string,
    options: { readonly timeoutMs?: number; readonly by?: CordonedBy } = {},
  ): Promise<Cordon> {
    const { timeoutMs = 180_000, by } = options;
    return await this.#view.waitForCordon(node, { timeoutMs, by });
  }

  /** Takes the shim out of the workload's spec and leaves its pods alone, as far as its controller can. */
  async cleanupCudaSpecWithoutRestart(): Promise<void> {
    await this.#enabled().steps.release();
  }

  /**
   * Waits until as many pods as wanted serve on ready, open nodes other than the excluded one. A
   * pending pod serves nowhere. @throws E_HW_TIMEOUT saying what is missing.
   */
  async waitForPodsOnHealthyNodes(
    options: { readonly excludeNode?: string; readonly timeoutMs?: number } = {},
  ): Promise<void> {
    await this.#view.waitForHealthy(options);
  }

  /**
   * Asks the service once, for half a minute at most.
   *
   * @returns whether it serves.
   * @throws E_HW_WORKLOAD when nobody said how; whatever keeps it from being asked.
   */
  async inferenceRequest(options: { readonly timeoutMs?: number } = {}): Promise<boolean> {
    const ask = this.#ask;
    if (ask === undefined) {
      const problem = "nobody said how to ask it; `request` does";
      throw new TesseraError("E_HW_WORKLOAD", { workload: workloadName(this.workload), problem });
    }
    const { timeoutMs = 30_000 } = options;
    const { signal } = this.#options;
    const { clock } = this.#opened;
    const limits = { clock, timeoutMs, what: "The request", ...(signal && { signal }) };
    return await withDeadline(limits, ask).catch((error: unknown) => {
      if (isTesseraError(error) && error.code === "E_TIMEOUT") return false;
      throw error;
    });
  }

  /** Watches the recovery from here on, and asks the service at a fixed rate if it knows how. */
  async measureRecovery(options: SamplingOptions = {}): Promise<RecoveryMeasurement> {
    await this.#measurement?.[Symbol.asyncDispose]();
    this.#measurement = await RecoveryMeasurement.start({
      ...options,
      cluster: this.#view.cluster,
      clock: this.#opened.clock,
      node: await this.#view.targetNode(),
      podsWanted: this.#view.wanted,
      ask: this.#ask,
      say: (text) => this.#say(text),
    });
    return this.#measurement;
  }

  /** Ends the measurement. @returns undefined when there was none, or no fault. */
  async endMeasurement(): Promise<RecoveryRecord | undefined> {
    const measurement = this.#measurement;
    this.#measurement = undefined;
    this.#recovery = await measurement?.end(this.#enabled().steps.xid);
    return this.#recovery;
  }

  /** What is known of this test: its faults with all that was seen of them, and the recovery. */
  async collectMetrics(): Promise<TestMetrics> {
    const faults = (await this.#hardware?.manager.list()) ?? [];
    return { run: this.run, faults, recovery: this.#recovery };
  }

  /** Takes everything back and waits for it. @throws what could not be taken back, all of it. */
  [Symbol.asyncDispose](): Promise<void> {
    this.#disposal ??= this.#dispose();
    return this.#disposal;
  }

  async #begin(): Promise<void> {
    const { signal, workload } = this.#options;
    signal?.throwIfAborted();
    signal?.addEventListener("abort", this.#onAbort, { once: true });
    if (typeof workload !== "string" && "manifest" in workload) {
      const { manifest } = workload;
      const passthrough = this.#hardware && passthroughName(this.run);
      const made = { manifest, passthrough, run: this.run };
      this.#creation = createWorkload(this.#opened.client, this.workload, made);
      await this.#creation;
      signal?.throwIfAborted();
    }
    await this.#view.begin();
  }

  async #dispose(): Promise<void> {
    this.#options.signal?.removeEventListener("abort", this.#onAbort);
    await disposeAll([
      async () => this.#measurement?.[Symbol.asyncDispose](),
      async () => this.#hardware?.manager.revertAll(),
      () => this.#deleteMade(),
      () => this.#opened.close(),
    ]);
  }

  async #deleteMade(): Promise<void> {
    if (this.#creation === undefined) return;
    const { client, clock } = this.#opened;
    const { run, workload } = this;
    const uid = await madeUid(this.#creation, { client, clock, run, ref: workload });
    if (uid === undefined) return;
    const pods = () => this.#view.cluster.pods();
    await deleteWorkload(client, workload, { uid, clock, pods });
  }

  #enabled() {
    if (this.#hardware !== undefined) return this.#hardware;
    throw new TesseraError("E_HW_DISABLED", { what: workloadName(this.workload) });
  }

  #say(text: string): void {
    this.#options.onProgress?.(text);
  }
}
