import type { KubeClient } from "../../../platform/kube/index.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { BreakerSettings } from "./breaker.ts";
import type { DrainSettings } from "./drain.ts";
import type { XidReading } from "./health-event.ts";

/** The kernel's log of one node. */
export interface NodeKernelLog {
  readonly node: string;
  /** New records only: a follower that begins at the end of the log. */
  readonly records: AsyncIterable<{ readonly text: string }>;
  /** Changes when the machine is restarted. @default always the same */
  readonly bootId?: () => string;
  /** What is known about the node's GPUs; without it a reset of a GPU becomes a restart of the machine. */
  readonly gpuUuid?: (pci: string) => string | undefined;
}

export interface NvSentinelSimulatorOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** For jitter and for the ids of events; any stream of an Rng. */
  readonly random: { float(): number; bytes(sizeBytes: number): Uint8Array };
  /** What the syslog monitor's parser makes of a line; undefined: nothing. */
  readonly read: (line: string) => XidReading | undefined;
  /** One for each node whose log is watched. */
  readonly kernelLogs: readonly NodeKernelLog[];
  /** Between looks at the logs, and before the first one. @default 15_000 */
  readonly pollMs?: number;
  /** Between looks at nodes that are drained or were opened by hand. @default 1_000 */
  readonly sweepMs?: number;
  /** How nodes are emptied; null: no drainer is installed. @default NVSentinel's own settings */
  readonly drain?: Partial<DrainSettings> | null;
  /** @default 50 % in 5 minutes */
  readonly breaker?: Partial<BreakerSettings>;
  /** Where the breaker keeps its state. @default "nvsentinel" */
  readonly namespace?: string;
  readonly log: (text: string) => void;
}

/** What the parts of the simulator share. */
export interface SimulatorPorts {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly random: { float(): number };
  readonly namespace: string;
  readonly log: (text: string) => void;
  readonly signal?: AbortSignal;
}
