import { readFile } from "node:fs/promises";
import type { Clock, Timer } from "../../../platform/time/clock.ts";

export interface MemoryGuardOptions {
  readonly clock: Clock;
  readonly limitBytes: number;
  /** Called once, with what it held then. */
  onOver(heldBytes: number): void;
  /** @default 500 */
  readonly lookEveryMs?: number;
}

/**
 * Looks at what a process holds, again and again. The kernel would end whoever it likes of those that
 * share a limit, this server included. Where nobody can tell what a process holds, nothing happens.
 */
export function guardMemory(pid: number, options: MemoryGuardOptions): { stop(): void } {
  const { clock, limitBytes, onOver, lookEveryMs = 500 } = options;
  let isStopped = false;
  let timer: Timer;
  const look = async () => {
    const heldBytes = await residentBytes(pid);
    if (isStopped) return;
    if (heldBytes !== undefined && heldBytes > limitBytes) onOver(heldBytes);
    else timer = clock.setTimer(lookEveryMs, () => void look());
  };
  timer = clock.setTimer(lookEveryMs, () => void look());
  return {
    stop: () => {
      isStopped = true;
      timer.cancel();
    },
  };
}

/** What a process holds in memory; undefined when it is gone, or where the system does not tell. */
async function residentBytes(pid: number): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
