import { readdirSync, readFileSync } from "node:fs";

/** Sends a signal to every process of a group; a group that is gone is not an error. */
export function signalGroup(groupId: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-groupId, signal);
  } catch (error) {
    // EPERM: a member changed its user (sudo); we may not signal it, and nothing here can help.
    if (!hasCode(error, "ESRCH") && !hasCode(error, "EPERM")) throw error;
  }
}

/**
 * Whether a process of the group still runs. Zombies do not count: inside a container whose first
 * process reaps no strangers they stay for ever, and waiting for them would never end.
 */
export function groupRuns(groupId: number): boolean {
  try {
    process.kill(-groupId, 0);
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
  return process.platform !== "linux" || linuxGroupRuns(groupId);
}

function linuxGroupRuns(groupId: number): boolean {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(readStat)
    .some((stat) => stat !== undefined && stat.groupId === groupId && !"ZX".includes(stat.state));
}

function readStat(pid: string): { state: string; groupId: number } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return undefined; // It ended while we looked.
  }
  // The second field is the program's name in parentheses and may hold spaces and parentheses.
  const [state = "", , group = ""] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { state, groupId: Number(group) };
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
