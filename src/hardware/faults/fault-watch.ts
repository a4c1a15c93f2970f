import { createReflector, type Freshness, type KubeClient } from "../../platform/kube/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import {
  faultLabels,
  type HardwareFault,
  hardwareFaults,
  nodeLabelValue,
  parseHardwareFault,
} from "../objects/index.ts";

export interface FaultWatchOptions {
  /** Only faults on this node. @default all */
  readonly node?: string;
  /** Told of every failure to follow the cluster, before it is tried again. */
  readonly onFailure?: (error: Error) => void;
}

/** A view of the faults that follows the cluster. */
export interface WatchedFaults {
  /** By name, those that can be read. */
  readonly faults: () => readonly HardwareFault[];
  /** How far the view can be trusted now. */
  readonly freshness: () => Freshness;
  /** Waits until the view has been current once. */
  waitForSync(options: {
    readonly timeoutMs: number;
    readonly signal?: AbortSignal;
  }): Promise<void>;
  /** Settles when the watch has ended, after its signal. */
  readonly stopped: Promise<void>;
}

/** Follows the faults; one that cannot be read is told to `onDamaged` and left out. */
export function watchFaults(
  options: FaultWatchOptions & {
    readonly client: KubeClient;
    readonly namespace: string;
    readonly clock: Clock;
    readonly random: { float(): number };
    readonly signal: AbortSignal;
    readonly onChange: (fault: HardwareFault, change: "added" | "updated" | "deleted") => void;
    readonly onDamaged?: (error: Error) => void;
  },
): WatchedFaults {
  const { client, namespace, clock, random, signal, node, onChange, onFailure } = options;
  const reflector = createReflector<HardwareFault | undefined>({
    client,
    type: hardwareFaults,
    namespace,
    ...(node === undefined ? {} : { labelSelector: `${faultLabels.node}=${nodeLabelValue(node)}` }),
    clock,
    random,
    backoff: { baseMs: 200, maxMs: 2_000 },
    ...(onFailure === undefined ? {} : { onFailure }),
    project: (object) => {
      try {
        return parseHardwareFault(object);
      } catch (error) {
        options.onDamaged?.(error instanceof Error ? error : new Error(String(error)));
        return undefined;
      }
    },
  });
  reflector.subscribe((event) => {
    if (event.type !== "synced" && event.object !== undefined) onChange(event.object, event.type);
  });
  const stopped = new Promise<void>((resolve) => {
    const stop = () => void reflector.stop().then(resolve, () => resolve());
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  if (!signal.aborted) reflector.start();
  return {
    faults: () => [...reflector.objects.values()].filter((fault) => fault !== undefined),
    freshness: () => reflector.freshness,
    waitForSync: (wait) => reflector.waitForSync(wait),
    stopped,
  };
}
