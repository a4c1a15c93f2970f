import { z } from "zod";
import { type Clock, sleep } from "../../platform/time/index.ts";
import { lookAtProcess, processesOfRun, signalIdentity } from "../host/cleanup/processes.ts";
import type { Undo, UndoExecutor } from "../ledger/index.ts";
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
        await endProcesses(clock, run);
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

/** Some of them may have left the group of the program: launchers give workers sessions of their own. */
export async function endProcesses(clock: Clock, run: string): Promise<void> {
  for (let round = 0; round < roundsMax; round++) {
    const left = await processesOfRun(run);
    if (left.length === 0) return;
    for (const one of left) await signalIdentity(one, "SIGKILL");
    await sleep(clock, roundMs);
  }
  throw new Error(`processes of ${run} do not end`);
}
