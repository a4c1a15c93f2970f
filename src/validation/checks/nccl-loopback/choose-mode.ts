import { type ChosenHcas, chooseHcas, type HcaPort } from "../../nccl/index.ts";
import { type LoopbackMode, type LoopbackOptions, ranksMax } from "./options.ts";

/** What a machine has for a loop-back. */
export interface LoopbackMachine {
  /** GPUs that CUDA can use. */
  readonly gpus: number;
  /** Why CUDA can use none, when the machine has some nevertheless. */
  readonly gpuProblem?: string;
  readonly ports: readonly HcaPort[];
  /** The user's NCCL_IB_HCA. */
  readonly hcaVariable?: string | undefined;
  /** Processors, for ranks without GPUs. */
  readonly cpus: number;
}

/** How the loop-back is made, or why it cannot be. */
export type ModeChoice =
  | {
      readonly mode: LoopbackMode;
      readonly ranks: number;
      readonly hcas?: ChosenHcas;
      /** Why this mode, for the facts. */
      readonly reason: string;
    }
  | { readonly impossible: string };

const tcpRanksMax = 4;

/**
 * Decides what carries the data. A mode is never exchanged for a lesser one because something is
 * broken: GPUs that CUDA cannot use and cards without an active port are errors, not machines
 * without GPUs or cards.
 */
export function chooseMode(
  options: Pick<LoopbackOptions, "mode" | "ranks" | "hcas"> & Partial<LoopbackOptions>,
  machine: LoopbackMachine,
): ModeChoice {
  const { mode, ranks, hcas: named, ranksPerGpu = 1 } = options;
  const wanted = mode === "auto" ? bestMode(machine, named) : mode;
  const reason = mode === "auto" ? reasonOf(wanted) : "asked for";
  if (wanted === "tcp") {
    const count = ranks ?? Math.min(tcpRanksMax, Math.max(2, machine.cpus));
    return count < 2
      ? { impossible: "a loop-back over TCP needs two ranks or more" }
      : { mode: wanted, ranks: count, reason };
  }
  if (machine.gpus === 0) {
    return { impossible: `no GPU can be used: ${machine.gpuProblem ?? "there is none"}` };
  }
  const room = ranksPerGpu * machine.gpus;
  if (ranks !== undefined && ranks > room) {
    const need = ranksPerGpu === 1 ? "need a GPU each" : `do not go on GPUs by ${ranksPerGpu}`;
    return { impossible: `${ranks} ranks ${need}, and there are ${machine.gpus}` };
  }
  const count = ranks ?? Math.min(room, ranksMax);
  // One rank has nobody to send to, so no card is needed.
  if (wanted === "socket" || count === 1) return { mode: wanted, ranks: count, reason };
  const { ports, hcaVariable: variable } = machine;
  const hcas = chooseHcas({ ports, variable, ...(named === undefined ? {} : { named }) });
  if (hcas === undefined) return { impossible: "no InfiniBand port is active" };
  return { mode: "ib", ranks: count, hcas, reason };
}

function bestMode(
  { gpus, gpuProblem, ports }: LoopbackMachine,
  named: readonly string[] | undefined,
): LoopbackMode {
  if (gpus === 0 && gpuProblem === undefined) return "tcp";
  const hasCards = ports.some(({ linkLayer }) => linkLayer === "InfiniBand");
  return hasCards || named !== undefined ? "ib" : "socket";
}

function reasonOf(mode: LoopbackMode): string {
  if (mode === "tcp") return "the machine has no GPU";
  if (mode === "socket") return "the machine has no InfiniBand card";
  return "the machine has GPUs and InfiniBand cards";
}
