import { readFile, readlink } from "node:fs/promises";
import { z } from "zod";

/**
 * Names one process for good. A pid alone does not: after a crash or a restart of the machine the
 * same number belongs to someone else.
 */
export const processIdentitySchema = z.object({
  pid: z.int().positive(),
  /** When the kernel started it, in ticks since boot; null where the kernel does not say. */
  startTicks: z.string().nullable(),
  /** Which boot of which machine, and which view of its processes; null where unknown. */
  home: z.string().nullable(),
});

export type ProcessIdentity = z.output<typeof processIdentitySchema>;

/** Who this process is. */
export async function ownIdentity(): Promise<ProcessIdentity> {
  const { pid } = process;
  return { pid, startTicks: (await statOf(pid))?.startTicks ?? null, home: await ownHome() };
}

/**
 * Whether a process still runs. One of another boot or of another container cannot be running here,
 * as far as this process can see.
 */
export async function isRunning(identity: ProcessIdentity): Promise<boolean> {
  if (identity.home !== (await ownHome())) return false;
  if (identity.startTicks === null) return answersSignals(identity.pid);
  const found = await statOf(identity.pid);
  return found !== undefined && found.startTicks === identity.startTicks && !found.isDead;
}

interface ProcessStat {
  readonly startTicks: string;
  /** Killed, but its parent has not asked for its exit code yet. */
  readonly isDead: boolean;
}

// Fields of /proc/PID/stat after the name, which ends with the last parenthesis (proc(5)).
const stateField = 0;
const startTicksField = 19;

async function statOf(pid: number): Promise<ProcessStat | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const startTicks = fields[startTicksField];
  const state = fields[stateField] ?? "";
  return startTicks === undefined ? undefined : { startTicks, isDead: /[ZX]/.test(state) };
}

async function ownHome(): Promise<string | null> {
  try {
    const boot = await readFile("/proc/sys/kernel/random/boot_id", "utf8");
    return `${boot.trim()} ${await readlink("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

function answersSignals(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
