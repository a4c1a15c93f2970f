import { readFile } from "node:fs/promises";
import { runProcess } from "../../../platform/process/index.ts";
import type { ProcessIdentity } from "../../../platform/process/process-identity.ts";
import type { Clock } from "../../../platform/time/index.ts";
import { lookAtProcess } from "../../processes/index.ts";

const toolMs = 10_000;
const kibibyte = 1024;

/** Address space of a process, in bytes; 0 when it is gone. */
export async function memoryOf(pid: number): Promise<number> {
  const text = await readFile(`/proc/${pid}/status`, "latin1").catch(() => "");
  return Number(/^VmSize:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0) * kibibyte;
}

/** Takes a limit of memory away again, if the process is still the same one. */
export async function unlimitMemory(
  { pid, startTicks }: Pick<ProcessIdentity, "pid" | "startTicks">,
  clock: Clock,
): Promise<void> {
  const seen = await lookAtProcess(pid);
  if (seen === undefined || seen.startTicks !== startTicks) return;
  await runProcess("prlimit", [`--pid=${pid}`, "--as=unlimited"], { clock, timeoutMs: toolMs });
}
