import { readdir, readFile } from "node:fs/promises";
import { ownIdentity, type ProcessIdentity } from "../../platform/process/process-identity.ts";

/** A process, as the kernel lists it. */
export interface SeenProcess {
  readonly pid: number;
  /** R, S, D, T (stopped), Z (ended), … */
  readonly state: string;
  readonly startTicks: string;
}

// Fields of /proc/PID/stat after the name, which ends with the last parenthesis (proc(5)).
const stateField = 0;
const startTicksField = 19;

/** Undefined when there is no such process, or no /proc. */
export async function lookAtProcess(pid: number): Promise<SeenProcess | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "latin1").catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return {
    pid,
    state: fields[stateField] ?? "",
    startTicks: fields[startTicksField] ?? "",
  };
}

/** Names a process of this machine for good. */
export async function identityOf(pid: number): Promise<ProcessIdentity> {
  const { home } = await ownIdentity();
  const startTicks = (await lookAtProcess(pid))?.startTicks ?? null;
  return { pid, startTicks, home };
}

/** Sends a signal to a process if it is still the same one. @returns whether it was */
export async function signalIdentity(
  { pid, startTicks }: Pick<ProcessIdentity, "pid" | "startTicks">,
  signal: NodeJS.Signals,
): Promise<boolean> {
  const seen = await lookAtProcess(pid);
  if (seen === undefined || seen.startTicks !== startTicks || "ZX".includes(seen.state)) {
    return false;
  }
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** The variable that marks all processes of a run. */
export const runVariable = "TESSERA_CHAOS_RUN";

/** Processes that were started for a run, as the kernel lists them; those that ended do not count. */
export async function processesOfRun(run: string): Promise<readonly SeenProcess[]> {
  const marks = await Promise.all(
    (await allPids()).map(async (pid) => ({ pid, run: await runOf(pid) })),
  );
  const own = marks.filter((mark) => mark.run === run);
  const seen = await Promise.all(own.map(({ pid }) => lookAtProcess(pid)));
  return seen.flatMap((one) => (one === undefined || "ZX".includes(one.state) ? [] : [one]));
}

async function allPids(): Promise<readonly number[]> {
  const names = await readdir("/proc").catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

/** The run that a process was started for. Those of other users cannot be asked, and are none of ours. */
async function runOf(pid: number): Promise<string | undefined> {
  const text = await readFile(`/proc/${pid}/environ`, "latin1").catch(() => "");
  const prefix = `${runVariable}=`;
  return text
    .split("\0")
    .find((line) => line.startsWith(prefix))
    ?.slice(prefix.length);
}
