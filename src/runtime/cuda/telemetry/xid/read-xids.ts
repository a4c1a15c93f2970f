import { readFileSync } from "node:fs";
import { messageOf } from "../../../../platform/errors/index.ts";
import { runProcess } from "../../../../platform/process/index.ts";
import type { Clock } from "../../../../platform/time/clock.ts";
import type { XidEvent } from "../telemetry.ts";
import {
  type BootTime,
  type KernelLine,
  parseDmesgLine,
  parseJournalLine,
  splitMessages,
} from "./kernel-log.ts";
import { parseXid } from "./parse-xid.ts";
import { readKmsg } from "./read-kmsg.ts";

export interface ReadXidsOptions {
  readonly clock: Clock;
  /** Only events from then on, since the epoch. @default all that the log still has */
  readonly sinceMs?: number;
  /** Only events after this place in the log; exact where a time is not. See `markKernelLog`. */
  readonly after?: KernelLogMark;
  readonly signal?: AbortSignal;
  /** The kernel's log. @default /dev/kmsg */
  readonly kmsgPath?: string;
  /** Variables of the programs that are asked when the log itself cannot be read. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A place in the kernel's log. */
export interface KernelLogMark {
  readonly atMs: number;
  /** The number of the last message; null when the log itself cannot be read. */
  readonly sequence: number | null;
}

/** XIDs of all GPUs, oldest first, and which log told them. */
export interface XidsRead {
  readonly events: readonly XidEvent[];
  readonly source: string;
}

type KernelLog = { readonly lines: readonly KernelLine[]; readonly source: string };
type Unread = { readonly reason: string };

const kmsgDefault = "/dev/kmsg";
const askTimeoutMs = 10_000;
const outputBytesMax = 64 * 2 ** 20;
const eventsMax = 10_000;

/** Where the kernel's log ends now, so that later only what is new is read. */
export function markKernelLog(options: ReadXidsOptions): KernelLogMark {
  const { clock, kmsgPath = kmsgDefault } = options;
  const lines = readKmsg(kmsgPath, bootTime(clock));
  const last = "reason" in lines ? undefined : lines.at(-1);
  return { atMs: clock.nowMs(), sequence: last?.sequence ?? null };
}

/**
 * Reads XIDs from the kernel's log: /dev/kmsg, else what `journalctl` or `dmesg` may show this user.
 * When none may, answers why: no XIDs is not the same as no XIDs seen.
 */
export async function readXids(options: ReadXidsOptions): Promise<XidsRead | Unread> {
  const boot = bootTime(options.clock);
  const { kmsgPath = kmsgDefault } = options;
  const direct = readKmsg(kmsgPath, boot);
  if (!("reason" in direct)) return select({ lines: direct, source: kmsgPath }, options);
  const reasons = [direct.reason];
  for (const ask of [askJournal, askDmesg]) {
    const log = await ask(options, boot);
    if (!("reason" in log)) return select(log, options);
    reasons.push(log.reason);
  }
  return { reason: `the kernel's log cannot be read (${reasons.join("; ")})` };
}

function select({ lines, source }: KernelLog, { sinceMs, after }: ReadXidsOptions): XidsRead {
  const fromMs = sinceMs ?? after?.atMs ?? Number.NEGATIVE_INFINITY;
  const isNew = (line: KernelLine) => {
    const mark = after?.sequence ?? null;
    if (mark !== null && line.sequence !== null && line.sequence <= mark) return false;
    // With a number to go by, the clock has no say: it may have been set in between.
    if (mark !== null && line.sequence !== null && sinceMs === undefined) return true;
    return line.atMs === null || line.atMs >= fromMs;
  };
  const found = lines.filter(isNew).map(parseXid);
  const events = found.filter((event) => event !== undefined).slice(-eventsMax);
  return { events, source };
}

async function askJournal(options: ReadXidsOptions): Promise<KernelLog | Unread> {
  const args = ["--dmesg", "--output", "short-unix", "--no-pager", "--quiet", "--boot"];
  const told = await ask("journalctl", args, options);
  if ("reason" in told) return told;
  const lines = splitMessages(told.text).map(parseJournalLine);
  const read = lines.filter((line) => line !== undefined);
  // Without permission journalctl shows nothing and calls that success.
  if (read.length === 0) return { reason: "journalctl shows this user no messages of the kernel" };
  return { lines: read, source: "journalctl" };
}

async function askDmesg(options: ReadXidsOptions, boot: BootTime): Promise<KernelLog | Unread> {
  const told = await ask("dmesg", [], options);
  if ("reason" in told) return told;
  const lines = splitMessages(told.text).map((line) => parseDmesgLine(line, boot));
  return { lines: lines.filter((line) => line !== undefined), source: "dmesg" };
}

async function ask(
  program: string,
  args: readonly string[],
  { clock, signal, env = {} }: ReadXidsOptions,
): Promise<{ readonly text: string } | Unread> {
  try {
    const result = await runProcess(program, args, {
      clock,
      timeoutMs: askTimeoutMs,
      outputBytesMax,
      env: { ...env, LC_ALL: "C" },
      ...(signal === undefined ? {} : { signal }),
    });
    if (result.exitCode === 0) return { text: result.stdout };
    const [said = ""] = result.stderr.trim().split("\n", 1);
    return { reason: `${program} ${result.timedOut ? "does not answer" : `says: ${said}`}` };
  } catch (error) {
    signal?.throwIfAborted();
    return { reason: messageOf(error) };
  }
}

function bootTime(clock: Clock): BootTime {
  let uptimeS = Number.NaN;
  try {
    uptimeS = Number.parseFloat(readFileSync("/proc/uptime", "utf8"));
  } catch {
    // Without it the log's times since boot mean nothing, and lines count as of unknown time.
  }
  return { bootedAtMs: clock.nowMs() - uptimeS * 1000 };
}
