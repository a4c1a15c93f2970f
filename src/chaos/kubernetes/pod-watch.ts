import { createReflector, type Reflector, resourceTypes } from "../../platform/kube/index.ts";
import { sleep } from "../../platform/time/index.ts";
import type { PodsWorkload } from "../plan/index.ts";
import type { KubernetesWorldOptions } from "./kubernetes-options.ts";
import { type PodObject, type PodView, viewPod } from "./objects.ts";

const startMs = 30_000;

/** The pods of a workload, followed through every outage of the API server. */
export class PodWatch {
  readonly #reflector: Reflector<PodView, PodObject>;
  readonly #options: KubernetesWorldOptions;
  readonly #namespace: string;

  constructor(options: KubernetesWorldOptions, { namespace, selector }: PodsWorkload) {
    const { client, clock, random } = options;
    this.#options = options;
    this.#namespace = namespace;
    this.#reflector = createReflector<PodView, PodObject>({
      client,
      type: resourceTypes.pods,
      namespace,
      labelSelector: selector,
      project: viewPod,
      clock,
      random,
    });
  }

  /** Resolves when the first list is there. */
  async start(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#reflector.start();
    const endMs = clock.monotonicMs() + startMs;
    while (!this.isLive) {
      if (clock.monotonicMs() >= endMs) {
        throw this.#reflector.freshness.lastError ?? new Error("the pods could not be listed");
      }
      await sleep(clock, 20, signal);
    }
  }

  /** Whether the view is what the cluster says; else nobody knows how the pods are. */
  get isLive(): boolean {
    return this.#reflector.freshness.state === "live";
  }

  get pods(): readonly PodView[] {
    return [...this.#reflector.objects.values()];
  }

  pod(name: string): PodView | undefined {
    return this.#reflector.objects.get(`${this.#namespace}/${name}`);
  }

  /** Calls back at every change. Returns how to stop it. */
  onChange(listener: () => void): () => void {
    return this.#reflector.subscribe(() => listener());
  }

  stop(): Promise<void> {
    return this.#reflector.stop();
  }
}
