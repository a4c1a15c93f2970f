import type { ProcessIdentity } from "../../../platform/process/process-identity.ts";
import type { Undo } from "../../ledger/index.ts";
import type { Fleet, PlannedFault } from "../../plan/index.ts";
import type { WorkerOrder } from "../control/messages.ts";
import type { LimitedDisk } from "../disk/index.ts";
import type { LinkEffect } from "../proxy/link-effect.ts";
import type { Direction } from "../proxy/link-proxy.ts";

/** What faults may do to the host world. Slots are those of the fleet. */
export interface HostControl {
  readonly run: string;
  readonly fleet: Fleet;
  /** Of all slots, spares included. */
  readonly slots: number;
  /** Where checkpoints lie. */
  readonly root: string;
  /** @returns the process that got it; undefined when there is none */
  signal(slot: number, signal: NodeJS.Signals): number | undefined;
  identityOf(slot: number): ProcessIdentity | undefined;
  /** Nothing can be started in it until it is opened again. */
  closeSlot(slot: number, reason: string, injection: string): void;
  openSlot(slot: number, injection: string): void;
  /** Slots will be taken away: told to the job when one of their workers has heard it. */
  notice(slots: readonly number[], graceUs: number): void;
  /** Told to a slot's worker, and to later ones of the slot while it lasts. */
  order(slot: number, injection: string, order: WorkerOrder): void;
  endOrders(injection: string): void;
  links: {
    begin(injection: string, effect: LinkEffect, directions: readonly Direction[]): Promise<void>;
    end(injection: string): Promise<void>;
    /** How another process takes it back. */
    undoOf(injection: string): Undo;
  };
  /** The disk of the checkpoints where it can be filled; null: it cannot. */
  readonly disk: LimitedDisk | null;
  /** The kernel gives a process no more memory than it has. */
  limitMemory(pid: number): Promise<void>;
  /** Without effect when the process is gone. */
  unlimitMemory(identity: ProcessIdentity): Promise<void>;
  /** Seen by something else than the injector. */
  seen(injection: string, what: string): void;
  /** Calls back once a worker of the slot has ended, however. */
  onExit(injection: string, pid: number): void;
  after(delayUs: number, callback: () => void): { cancel(): void };
}

/** A fault in force: how it is taken back by whoever began it. */
export interface Applied {
  /** Null: there is nothing to take back. */
  readonly end: (() => Promise<void>) | null;
}

/** Breaks what a fault breaks. The ledger has it already. */
export type ApplyFault = (control: HostControl, fault: PlannedFault) => Promise<Applied>;
