import { readdirSync, readFileSync } from "node:fs";

/** A process as it can be recognised later: pids are used again, start times are not. */
export interface ProcessId {
  readonly pid: number;
  /** Start time in clock ticks since boot, as /proc tells it. */
  readonly startTicks: string;
}

export interface ProcessStat extends ProcessId {
  readonly parentPid: number;
  /** One letter: R, S, D, Z, ... */
  readonly state: string;
}

/** Reads the fields we need from a line of /proc/PID/stat. The name may hold blanks and brackets. */
export function parseProcessStat(line: string): ProcessStat | undefined {
  const fields = line
    .slice(line.lastIndexOf(")") + 2)
    .trim()
    .split(" ");
  const [state, parent] = fields;
  const startTicks = fields[19];
  const pid = Number.parseInt(line, 10);
  if (state === undefined || parent === undefined || startTicks === undefined) return undefined;
  if (!Number.isInteger(pid)) return undefined;
  return { pid, state, parentPid: Number(parent), startTicks };
}

/** What /proc says about a process, or undefined when there is none. */
export function processStat(pid: number): ProcessStat | undefined {
  try {
    return parseProcessStat(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return undefined;
  }
}

/** The identity of a running process, or undefined when there is none. */
export function identify(pid: number): ProcessId | undefined {
  const stat = processStat(pid);
  return stat === undefined ? undefined : { pid, startTicks: stat.startTicks };
}

/** True while exactly this process runs; a zombie does not. */
export function isRunning(id: ProcessId | undefined): boolean {
  if (id === undefined) return false;
  const stat = processStat(id.pid);
  return stat !== undefined && stat.startTicks === id.startTicks && stat.state !== "Z";
}

/** Sends SIGKILL if exactly this process still runs. */
export function killProcess(id: ProcessId): void {
  if (!isRunning(id)) return;
  try {
    process.kill(id.pid, "SIGKILL");
  } catch {
    // It ended between the look and the signal.
  }
}

/** The direct children of a process, the oldest first. */
export function childrenOf(pid: number): ProcessId[] {
  return allProcesses()
    .filter((stat) => stat.parentPid === pid)
    .toSorted(byAge)
    .map(({ pid: child, startTicks }) => ({ pid: child, startTicks }));
}

/** Orders processes by when they started; numbers begin anew where the kernel has used them up. */
export function byAge(one: ProcessId, other: ProcessId): number {
  return Number(one.startTicks) - Number(other.startTicks) || one.pid - other.pid;
}

/** Every process this mount of /proc shows. */
export function allProcesses(): ProcessStat[] {
  return readdirSync("/proc")
    .filter((entry) => /^\d+$/.test(entry))
    .map((entry) => processStat(Number(entry)))
    .filter((stat) => stat !== undefined);
}
