import type { KubeClient } from "../../platform/kube/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { ControlUndo, CudaFault, HardwareFault, Sighting } from "../objects/index.ts";

/**
 * What the own detector does about a fatal XID: nothing, a condition on the node, closing the node
 * as well, or also asking the pods that use GPUs to leave. A plain list: each does what those before
 * it do.
 */
export const detectorModes = ["off", "condition", "cordon", "drain"] as const;
export type DetectorMode = (typeof detectorModes)[number];

export type AgentLog = Pick<Logger, "info" | "warn" | "error">;

export interface AgentOptions {
  /** The node it runs on; it touches no other. */
  readonly node: string;
  /** Where the faults are kept. */
  readonly namespace: string;
  readonly client: KubeClient;
  readonly clock: Clock;
  /** For the jitter of waits; any stream of an Rng. */
  readonly random: { float(): number };
  readonly log: AgentLog;
  /** Ends the agent. What is in force then ends by its lease, or goes on with the next agent. */
  readonly signal: AbortSignal;
  /** Where the shim, its control blocks and the agent's own state are. */
  readonly controlFolder: string;
  /** Where lines are written and read. Without it XID faults fail, and there is no detector. */
  readonly kernelLog?: string;
  /** The machine's own log may be written. @default false */
  readonly allowKernelLogDevice?: boolean;
  /** @default "off" */
  readonly detector?: DetectorMode;
  /** Where the driver tells of its GPUs. @default "/proc/driver/nvidia" */
  readonly procFolder?: string;
  /** Where health is asked on the loopback address; 0 takes a free port. @default nowhere */
  readonly healthPort?: number;
  readonly ports: AgentPorts;
  /** Told once when the faults of the node are known and everything runs. */
  readonly onReady?: (ready: { readonly healthUrl?: string }) => void;
}

/** What the agent needs of the rooms beside it. */
export interface AgentPorts {
  readonly notes: FaultNotes;
  readonly shim: ShimPort;
  readonly xid: XidPort;
  /** Takes back what has ended. Control blocks are disarmed by the agent, which knows whose they are. */
  readonly reaper: (disarm: (undo: ControlUndo) => Promise<void>) => {
    run(signal: AbortSignal): Promise<void>;
  };
}

/** What the agent says about faults, and asks of them. */
export interface FaultNotes {
  get(name: string): Promise<HardwareFault | undefined>;
  injected(name: string): Promise<unknown>;
  /** It cannot be carried out, or not to its end; what was done is taken back. */
  failed(name: string, message: string): Promise<unknown>;
  sighted(name: string, sighting: Sighting): Promise<unknown>;
}

/** The shim of a node: its library and its control blocks. */
export interface ShimPort {
  /** Puts the library where pods find it. */
  layShim(folder: string): Promise<unknown>;
  controlPath(folder: string, scope: string): string;
  /** Makes a disarmed block where there is none. */
  ensureControl(path: string): Promise<unknown>;
  armControl(
    path: string,
    order: {
      readonly fault: CudaFault;
      readonly codes: CudaCodes;
      readonly expiresAtMs: number;
      readonly nowMs: number;
    },
  ): Promise<unknown>;
  renewControl(path: string, order: { readonly expiresAtMs: number }): Promise<unknown>;
  disarmControl(path: string): Promise<unknown>;
  readControl(
    path: string,
  ): Promise<{ readonly armed: boolean; readonly expiresAtMs: number } | undefined>;
}

/** The errors that CUDA calls answer with. */
export interface CudaCodes {
  readonly inFlight: number;
  readonly onInit: number;
  readonly sticky: boolean;
}

/** What is known about XIDs. */
export interface XidPort {
  /** @throws TesseraError E_XID_UNKNOWN */
  codesOf(xid: number): CudaCodes;
  /** @throws TesseraError E_XID_UNKNOWN */
  formatLine(line: {
    readonly xid: number;
    readonly pci: string;
    readonly correlationId: string;
    readonly text?: string;
  }): string;
  /** What a line of the kernel tells; undefined for the many that tell of no XID. */
  parse(text: string): SeenXid | undefined;
}

/** An XID as a line tells of it. */
export interface SeenXid {
  readonly xid: number;
  /** `0000:3b:00` */
  readonly pci: string;
  /** The node must not be given work any more. */
  readonly fatal: boolean;
  /** The line is one of ours. */
  readonly correlationId?: string;
}
