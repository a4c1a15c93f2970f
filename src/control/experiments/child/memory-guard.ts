import { readdir, readFile } from "node:fs/promises";
import type { Clock, Timer } from "../../../platform/time/clock.ts";

export interface MemoryGuardOptions {
  readonly clock: Clock;
  readonly limitBytes: number;
  /** Called once, with what the group held then: it shall end in good order. */
  onOver(heldBytes: number): void;
  /** Called once, when the group holds far more than it may: it cannot be waited for. */
  onFarOver(heldBytes: number): void;
  /** @default 500 */
  readonly lookEveryMs?: number;
}

/** Who is asked to end may go on allocating: the kernel must not come first. */
export const farOver = 1.25;
/** Members of a group are looked for among all processes; that costs more than a look at those known. */
const looksPerSearch = 4;

/**
 * Looks at what the processes of a group hold together, again and again. The kernel would end whoever it likes
 * of those that share a limit, this server included. Where nobody can tell what they hold, nothing happens.
 */
export function guardMemory(groupId: number, options: MemoryGuardOptions): { stop(): void } {
  const { clock, limitBytes, onOver, onFarOver, lookEveryMs = 500 } = options;
  let isStopped = false;
  let isOver = false;
  let looks = 0;
  let members: readonly number[] = [groupId];
  const look = async () => {
    if (looks++ % looksPerSearch === 0) members = await membersOf(groupId);
    const held = await Promise.all(members.map(residentBytes));
    if (isStopped) return;
    const heldBytes = held.reduce((sum, bytes) => sum + bytes, 0);
    if (heldBytes > limitBytes && !isOver) {
      isOver = true;
      onOver(heldBytes);
    }
    if (heldBytes > farOver * limitBytes) onFarOver(heldBytes);
    else timer = clock.setTimer(lookEveryMs, () => void look());
  };
  let timer: Timer = clock.setTimer(lookEveryMs, () => void look());
  return {
    stop: () => {
      isStopped = true;
      timer.cancel();
    },
  };
}

/** The processes of a group, its first one in any case. */
async function membersOf(groupId: number): Promise<readonly number[]> {
  const names = await readdir("/proc").catch(() => []);
  const found = [groupId];
  for (const name of names.filter((one) => /^\d+$/.test(one) && Number(one) !== groupId)) {
    const stat = await readFile(`/proc/${name}/stat`, "latin1").catch(() => "");
    // The second field is the program's name in parentheses and may hold spaces and parentheses.
    const [, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (Number(group) === groupId) found.push(Number(name));
  }
  return found;
}

/** What a process holds in memory; nothing when it is gone, or where the system does not tell. */
async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  const [, kibibytes = "0"] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kibibytes) * 1024;
}
