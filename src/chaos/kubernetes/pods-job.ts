import { resourceTypes } from "../../platform/kube/index.ts";
import {
  type Deed,
  type LiveJob,
  type LookContext,
  leaseMsDefault,
  type Readiness,
  type ReadinessBook,
  StepTimes,
} from "../live/index.ts";
import type { PlannedFault, PodsWorkload, Target } from "../plan/index.ts";
import { type DeedContext, deedsOf, targetText } from "./deeds/index.ts";
import type { KubernetesWorldOptions } from "./kubernetes-options.ts";
import { findLeftovers } from "./leftovers.ts";
import { marks, networkPolicies } from "./objects.ts";
import { PodLogs } from "./pod-logs.ts";
import type { PodWatch } from "./pod-watch.ts";
import { readinessOf } from "./readiness.ts";

export interface PodsJobParts {
  readonly workload: PodsWorkload;
  readonly world: KubernetesWorldOptions;
  readonly run: string;
  readonly watch: PodWatch;
  readonly isReachable: KubernetesWorldOptions["isReachable"] | undefined;
  /** Pods that were ready when it began. */
  readonly wanted: number;
}

/** Pods that somebody else runs. */
export class PodsJob implements LiveJob {
  readonly world = "kubernetes";
  readonly atStart = "the pods at the start";
  readonly hasProgress: boolean;
  readonly #parts: PodsJobParts;
  readonly #context: DeedContext;
  readonly #logs: PodLogs | undefined;
  readonly #times = new StepTimes();
  #digest: string | null = null;
  #steps = 0;

  constructor(parts: PodsJobParts) {
    const { workload, world, run, watch, isReachable } = parts;
    this.#parts = parts;
    this.hasProgress = workload.progress;
    this.#logs = workload.progress ? new PodLogs(world.client, workload.namespace) : undefined;
    this.#context = {
      client: world.client,
      nodeHook: world.nodeHook,
      hardware: world.hardware,
      isReachable,
      namespace: workload.namespace,
      run,
      pods: () => watch.pods,
      pod: (name) => watch.pod(name),
      leaseUntilMs: () => world.clock.nowMs() + (world.leaseMs ?? leaseMsDefault),
    };
  }

  get digest(): string | null {
    return this.#digest;
  }

  deedsOf(fault: PlannedFault): Promise<readonly Deed[]> {
    return deedsOf(fault, this.#context);
  }

  targetText(target: Target): string {
    return targetText(target);
  }

  first(): Readiness {
    return this.#readiness();
  }

  follow({ book, nowUs }: Omit<LookContext, "signal">): () => void {
    const { watch } = this.#parts;
    return watch.onChange(() => {
      if (watch.isLive) book.changed(this.#readiness(), nowUs());
    });
  }

  async look({ book, nowUs, signal }: LookContext): Promise<boolean> {
    // A view that is not live says nothing: the look is left out, and the gap shows.
    const { isLive } = this.#parts.watch;
    if (isLive) book.looked(this.#readiness(), nowUs());
    await this.#readLogs({ book, nowUs, signal });
    return isLive;
  }

  /** Of pods that tell of their steps, one must have come since they were whole again. */
  isBack({ wholeLooks, generation }: ReadinessBook, sinceUs: number): boolean {
    return wholeLooks > 0 && (!this.hasProgress || this.#times.hasStep(generation, sinceUs));
  }

  async renew(untilMs: number): Promise<void> {
    const { world, workload, run } = this.#parts;
    const { client } = world;
    const merge = { metadata: { annotations: { [marks.leaseUntil]: String(untilMs) } } };
    for (const { kind, name, run: of } of await findLeftovers(client, workload.namespace)) {
      if (of !== run || kind === "pod") continue;
      if (kind === "node") await client.patch(resourceTypes.nodes, { name }, { merge });
      else await client.patch(networkPolicies, { namespace: workload.namespace, name }, { merge });
    }
  }

  async marked(): Promise<readonly string[]> {
    const { world, workload, run } = this.#parts;
    const all = await findLeftovers(world.client, workload.namespace);
    return all.flatMap(({ kind, name, run: of }) => (of === run ? [`${kind} ${name}`] : []));
  }

  aboutSteps(): string {
    return this.hasProgress
      ? `${this.#steps} lines of progress were read from the logs of the pods`
      : "a step is a look at which as many pods were ready as at the start; its units are these pods";
  }

  #readiness(): Readiness {
    return readinessOf(this.#parts.watch.pods, this.#parts.wanted);
  }

  async #readLogs({ book, nowUs, signal }: LookContext): Promise<void> {
    if (this.#logs === undefined) return;
    const { generation } = book;
    this.#times.read(nowUs());
    for (const line of await this.#logs.newLines(this.#parts.watch.pods, signal)) {
      const { step, units = 1, digest, finish } = line;
      if (step !== undefined) {
        this.#steps++;
        this.#times.stepped(generation);
        this.#digest = digest ?? null;
        book.put({ kind: "step", generation, step, units }, nowUs());
      }
      if (finish?.digest !== undefined) this.#digest = finish.digest;
    }
  }
}
