import type { ChaosPlan } from "../../plan/index.ts";
import type { Tripwire } from "./messages.ts";

/** What a worker is told on its standard input, which nobody else can read. */
export interface HostWorkerStart {
  readonly run: string;
  readonly slot: number;
  readonly incarnation: number;
  /** Where the runner listens: `127.0.0.1:41234`. */
  readonly runner: string;
  /** The way to the coordinator of the job, through the network that faults break. */
  readonly coordinator: string;
  /** Known to this run alone. */
  readonly secret: string;
  /** The interface that the other ranks reach it on. */
  readonly host: string;
  /** Where checkpoints lie. */
  readonly root: string;
  readonly plan: ChaosPlan;
  /** Exchanges along each axis that earlier processes of this slot have entered. */
  readonly collectives: { readonly dp: number; readonly tp: number; readonly pp: number };
  readonly wires: readonly Tripwire[];
}

/** Larger than any plan of ours; a limit against input without end. */
export const startBytesMax = 16 * 2 ** 20;
