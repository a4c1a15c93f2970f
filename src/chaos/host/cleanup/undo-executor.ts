import { rm } from "node:fs/promises";
import { z } from "zod";
import { runProcess } from "../../../platform/process/index.ts";
import { processIdentitySchema } from "../../../platform/process/process-identity.ts";
import type { Clock } from "../../../platform/time/index.ts";
import type { UndoExecutor } from "../../ledger/index.ts";
import { endProcesses, signalIdentity } from "../../processes/index.ts";
import { clearRun, runTracesSchema } from "./clear-run.ts";
import { unlimitMemory } from "./memory-limit.ts";

const processesSchema = z.object({ processes: z.array(processIdentitySchema) });
const rulesSchema = z.object({
  commands: z.array(z.array(z.string()).min(1)),
});
/** Only what has such a name is removed, whatever a ledger says. */
const fillerSchema = z.object({ file: z.string().regex(/\/disk\/filler-[0-9a-f]+$/) });
const toolMs = 10_000;

/**
 * Takes faults of the host world back by what a ledger says about them, in whichever process: the runner's
 * own, its watchdog, or a later start.
 */
export function hostUndo(clock: Clock): UndoExecutor {
  return async ({ undo: { kind, data } }) => {
    switch (kind) {
      case "clear-run":
        await clearRun(runTracesSchema.parse(data), clock);
        return;
      case "end-processes":
        await endProcesses(z.object({ run: z.string().min(1) }).parse(data).run, clock);
        return;
      case "continue-processes":
        for (const identity of processesSchema.parse(data).processes) {
          await signalIdentity(identity, "SIGCONT");
        }
        return;
      case "unlimit-memory":
        for (const identity of processesSchema.parse(data).processes) {
          await unlimitMemory(identity, clock);
        }
        return;
      case "remove-filler":
        await rm(fillerSchema.parse(data).file, { force: true });
        return;
      case "run-tools":
        // What is gone already makes the tool complain, and is as it should be; `clear-run` looks after it.
        for (const [program = "", ...args] of rulesSchema.parse(data).commands) {
          await runProcess(program, args, { clock, timeoutMs: toolMs });
        }
        return;
      default:
        throw new Error(`nobody here knows how to undo ${kind}`);
    }
  };
}
