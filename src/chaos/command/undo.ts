import { z } from "zod";
import { type Clock, sleep } from "../../platform/time/index.ts";
import type { Undo, UndoExecutor } from "../ledger/index.ts";
import { endProcesses, lookAtProcess, signalIdentity } from "../processes/index.ts";
import { removeScratchFolder } from "./scratch-folder.ts";

const roundsMax = 100;
const roundMs = 20;

const continueSchema = z.object({ pid: z.int().positive(), startTicks: z.string() });
const endSchema = z.object({ run: z.string().min(1) });

/** Lets a process go on that was stopped. */
export function continueUndo(process: { readonly pid: number; readonly startTicks: string }): Undo {
  return { kind: "continue-process", data: { pid: process.pid, startTicks: process.startTicks } };
}

/** Ends everything that was started for a run, and removes the folder that it had. */
export function endUndo(run: string): Undo {
  return { kind: "end-processes", data: { run } };
}

export interface CommandUndoOptions {
  readonly clock: Clock;
  /** Where runs of commands keep their files. */
  readonly folder: string;
}

/** Takes back what a run of a command did, for the run itself and for whoever comes after it. */
export function createCommandUndo({ clock, folder }: CommandUndoOptions): UndoExecutor {
  return async ({ undo }) => {
    switch (undo.kind) {
      case "continue-process":
        return continueProcess(clock, continueSchema.parse(undo.data));
      case "end-processes": {
        const { run } = endSchema.parse(undo.data);
        await endProcesses(run, clock);
        return removeScratchFolder(folder, run);
      }
      default:
        throw new Error(`nobody knows how to undo ${undo.kind}`);
    }
  };
}

async function continueProcess(
  clock: Clock,
  process: { readonly pid: number; readonly startTicks: string },
): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    if (!(await signalIdentity(process, "SIGCONT"))) return;
    if ((await lookAtProcess(process.pid))?.state !== "T") return;
    await sleep(clock, roundMs);
  }
  throw new Error(`process ${process.pid} does not go on`);
}
