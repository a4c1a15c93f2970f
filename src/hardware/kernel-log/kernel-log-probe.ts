import { constants } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import type { Finding, Probe } from "../../platform/doctor/finding.ts";
import { messageOf } from "../../platform/errors/index.ts";

export interface KernelLogProbeOptions {
  /** @default "/dev/kmsg" */
  readonly devicePath?: string;
  /** @default "/proc/sys/kernel/dmesg_restrict" */
  readonly restrictPath?: string;
}

/** Whether the kernel log can be read and written. Nothing is written to find out. */
export function kernelLogProbe(options: KernelLogProbeOptions = {}): Probe {
  const devicePath = options.devicePath ?? "/dev/kmsg";
  const restrictPath = options.restrictPath ?? "/proc/sys/kernel/dmesg_restrict";
  return {
    id: "kernel-log",
    title: "Kernel log",
    required: false,
    neededFor: "seeing and simulating XID errors of GPUs",
    find: () => findKernelLog(devicePath, restrictPath),
  };
}

async function findKernelLog(devicePath: string, restrictPath: string): Promise<Finding> {
  const absent = await whyAbsent(devicePath);
  const restricted = await isRestricted(restrictPath);
  if (absent !== undefined) {
    return {
      state: "missing",
      reason: absent,
      hint: "In a container, pass /dev/kmsg in; elsewhere a file in kmsg record format does.",
      evidence: { path: devicePath, readable: false, writable: false, restricted },
    };
  }
  // Opening without O_CREAT and closing again changes nothing, and the kernel's own check of rights
  // is better than any guess at it. Non-blocking, because a log without news would make us wait.
  const readProblem = await whyNot(devicePath, constants.O_RDONLY);
  const writeProblem = await whyNot(devicePath, constants.O_WRONLY);
  const readable = readProblem === undefined;
  const writable = writeProblem === undefined;
  const evidence = { path: devicePath, readable, writable, restricted };
  if (readable && writable) {
    return { state: "works", reason: `${devicePath} can be read and written.`, evidence };
  }
  const hint = restricted
    ? "Run as root or with CAP_SYSLOG; kernel.dmesg_restrict keeps others out."
    : "Run as root, or give this user access to the device.";
  if (!readable && !writable) {
    const reason = `${devicePath} can be neither read nor written (${readProblem}).`;
    return { state: "missing", reason, hint, evidence };
  }
  const reason = readable
    ? `${devicePath} can be read but not written (${writeProblem}).`
    : `${devicePath} can be written but not read (${readProblem}).`;
  return { state: "limited", reason, hint, evidence };
}

async function whyAbsent(path: string): Promise<string | undefined> {
  try {
    const found = await stat(path);
    return found.isCharacterDevice() ? undefined : `${path} is not a device.`;
  } catch (error) {
    return codeOf(error) === "ENOENT" ? `There is no ${path}.` : `${path}: ${messageOf(error)}.`;
  }
}

async function whyNot(path: string, mode: number): Promise<string | undefined> {
  try {
    const file = await open(path, mode | constants.O_NONBLOCK | constants.O_NOCTTY);
    await file.close();
    return undefined;
  } catch (error) {
    return codeOf(error) ?? messageOf(error);
  }
}

/** True, false, or null where the kernel has no such setting. */
async function isRestricted(path: string): Promise<boolean | null> {
  try {
    return (await readFile(path, "utf8")).trim() !== "0";
  } catch {
    return null;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error ? String(error.code) : undefined;
}
