import type { Clock } from "../../platform/time/index.ts";
import { detectorKeys, whoCordoned } from "../detectors/index.ts";
import type { NodeObject, PodObject } from "../objects/index.ts";
import { isServing } from "../workload/index.ts";
import type { ClusterPort } from "./cluster-port.ts";
import type { Ask } from "./inference.ts";
import {
  type PhaseTimes,
  type RecoveryRecord,
  RecoveryTracker,
  type RequestSample,
  type RequestSampler,
  sharesOf,
  startSampler,
} from "./recovery/index.ts";

/** How often the service is asked while a recovery is measured. */
export interface SamplingOptions {
  /** From one request to the next. @default 250 */
  readonly intervalMs?: number;
  /** A request without an answer by then has failed. @default 2000 */
  readonly timeoutMs?: number;
}

export interface RecoveryMeasurementOptions extends SamplingOptions {
  readonly cluster: ClusterPort;
  readonly clock: Clock;
  /** The node that the fault will be on. */
  readonly node: string;
  readonly podsWanted: number;
  /** Absent: only the cluster is watched. */
  readonly ask?: Ask | undefined;
  readonly say: (text: string) => void;
}

/** Watches a node and the pods of a workload, and asks the service at a fixed rate, until ended. */
export class RecoveryMeasurement implements AsyncDisposable {
  readonly node: string;
  readonly #options: RecoveryMeasurementOptions;
  readonly #tracker: RecoveryTracker;
  #sampler: RequestSampler | undefined;
  #unwatch: (() => Promise<void>) | undefined;
  #brokenMs: number | undefined;

  private constructor(options: RecoveryMeasurementOptions) {
    this.node = options.node;
    this.#options = options;
    this.#tracker = new RecoveryTracker(options);
  }

  /** Begins; resolves when the watch is set up. */
  static async start(options: RecoveryMeasurementOptions): Promise<RecoveryMeasurement> {
    const measurement = new RecoveryMeasurement(options);
    const { cluster, clock, node, say, ask } = options;
    const tracker = measurement.#tracker;
    const see = (observation: Parameters<RecoveryTracker["observe"]>[0]) => {
      const known = tracker.events.length;
      tracker.observe(observation);
      for (const { text } of tracker.events.slice(known)) say(text);
    };
    measurement.#unwatch = await cluster.watch(node, {
      onNode: (object) =>
        see({ kind: "node", atMs: clock.monotonicMs(), node: lookAtNode(object) }),
      onPods: (pods) => see({ kind: "pods", atMs: clock.monotonicMs(), pods: pods.map(lookAtPod) }),
      onProblem: (error) => say(`the cluster cannot be watched for now: ${error.message}`),
    });
    if (ask !== undefined)
      measurement.#sampler = startSampler({ ...sampling(options), ask, clock });
    return measurement;
  }

  /** How many requests have been answered so far, and how many of those well. */
  get requests(): { readonly all: number; readonly ok: number } {
    const samples = this.#sampler?.samples ?? [];
    return { all: samples.length, ok: samples.filter(({ outcome }) => outcome === "ok").length };
  }

  /** Since the fault, so far. */
  get times(): PhaseTimes {
    return this.#tracker.times;
  }

  /** Something of the workload is broken from here on: requests are no longer those of before. */
  broken(): void {
    this.#brokenMs ??= this.#options.clock.monotonicMs();
  }

  /** The fault that detectors can see is in: phases count from here. */
  injected(): void {
    this.broken();
    this.#tracker.injected(this.#options.clock.monotonicMs());
  }

  /** The pods serve again where they were: for a fault after which nobody has to move. */
  recovered(): void {
    this.#tracker.recovered(this.#options.clock.monotonicMs());
  }

  /** Ends the measurement. @returns undefined when no fault was injected meanwhile. */
  async end(xid: number): Promise<RecoveryRecord | undefined> {
    await Promise.all([this.#endWatch(), this.#sampler?.stop()]);
    const { injectedMs, times, cordonedBy, events } = this.#tracker;
    if (injectedMs === undefined) return undefined;
    const samples = this.#sampler?.samples ?? [];
    const servingMs = servingAgainMs(times.serving, injectedMs, samples);
    const moments = { injectedMs: this.#brokenMs ?? injectedMs, servingMs };
    return {
      node: this.node,
      xid,
      injectedMs,
      endedMs: this.#options.clock.monotonicMs(),
      times: { ...times, serving: servingMs === null ? null : servingMs - injectedMs },
      cordonedBy: cordonedBy ?? null,
      events,
      samples,
      shares: this.#sampler === undefined ? null : sharesOf(samples, moments),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Taking back comes next, and waits for no request.
    await Promise.all([this.#endWatch(), this.#sampler?.stop({ cut: true })]);
  }

  async #endWatch(): Promise<void> {
    const unwatch = this.#unwatch;
    this.#unwatch = undefined;
    await unwatch?.();
  }
}

/**
 * Pods that say they serve have to be seen to serve, where anybody could ask; where nobody could, the
 * shares say that nothing is proven.
 */
function servingAgainMs(
  podsServeMs: number | null,
  injectedMs: number,
  samples: readonly RequestSample[],
): number | null {
  if (podsServeMs === null) return null;
  const since = podsServeMs + injectedMs;
  const known = samples.filter(({ sentMs, outcome }) => sentMs >= since && outcome !== "unknown");
  if (known.length === 0) return since;
  return known.find(({ outcome }) => outcome === "ok")?.sentMs ?? null;
}

function lookAtNode(node: NodeObject) {
  const { cordoned, by } = whoCordoned(node);
  const types: readonly string[] = detectorKeys.conditions;
  const detected = (node.status?.conditions ?? []).some(
    ({ type, status }) => types.includes(type) && status === "True",
  );
  return { cordoned, by, detected };
}

function lookAtPod(pod: PodObject) {
  const node = pod.spec?.nodeName;
  return {
    name: pod.metadata.name ?? "",
    serving: isServing(pod),
    terminating: pod.metadata.deletionTimestamp !== undefined,
    ...(node === undefined ? {} : { node }),
  };
}

function sampling({ intervalMs, timeoutMs }: SamplingOptions): SamplingOptions {
  return {
    ...(intervalMs === undefined ? {} : { intervalMs }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  };
}
