import { constants, type Stats } from "node:fs";
import { type FileHandle, open, readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import { type Clock, createRealClock } from "../../platform/time/index.ts";
import { codeOf, kernelLogError } from "./kernel-log-error.ts";
import { type KernelLogKind, kernelLogKind } from "./kernel-log-kind.ts";
import { formatKmsgRecord, parseKmsgRecord, userPriority } from "./kmsg-record.ts";

export interface KernelLogWriterOptions {
  /** The kernel's log, or a plain file in its record format; a file that is not there is made. */
  readonly path: string;
  /** Without this only a plain file is written: a line in a machine's own log has consequences. */
  readonly allowDevice: boolean;
  /** For the times in a plain file. @default the machine's */
  readonly clock?: Clock;
}

/** Writes lines to a kernel log, each as one record. */
export interface KernelLogWriter {
  /**
   * Writes one record.
   *
   * @param options.priority the severity, 0 to 7. @default 3, an error
   * @throws TesseraError E_HW_KERNEL_LOG; nothing was written then.
   */
  write(text: string, options?: { readonly priority?: number }): Promise<void>;
  close(): Promise<void>;
}

/** The kernel takes no longer record: 1024 bytes less its own header. */
const recordBytesMax = 976;
const errorSeverity = 3;
/** Holds more than one record, so that the last whole one is in it. */
const tailBytes = 16_384;

/**
 * Opens a kernel log for writing. A device is never created, and nothing below /dev is: there a
 * missing device would become a file that nobody reads.
 *
 * @throws TesseraError E_HW_KERNEL_LOG
 */
export async function openKernelLogWriter(
  options: KernelLogWriterOptions,
): Promise<KernelLogWriter> {
  const { path, allowDevice, clock = createRealClock() } = options;
  const found = await statOrNothing(path);
  const kind = found === undefined ? "file" : kernelLogKind(found);
  if (typeof kind === "object") throw kernelLogError(path, kind.problem);
  if (kind === "device" && !allowDevice) {
    throw kernelLogError(path, "it is the kernel's own log, which was not allowed");
  }
  if (found === undefined && resolve(path).startsWith("/dev/")) {
    throw kernelLogError(path, "it does not exist, and nothing is created below /dev");
  }
  const file = await openAs(path, kind);
  if (kind === "device") {
    await file.close();
    return writerOf(path, {
      shape: deviceRecord,
      // The kernel drops, without a word, what comes after ten records in five seconds of one open
      // file; each record therefore gets its own.
      append: async (bytes) => {
        const own = await openAs(path, kind);
        try {
          await whole(own, bytes);
        } finally {
          await own.close();
        }
      },
      close: async () => {},
    });
  }
  const sinceBootUs = await bootClock(clock);
  return writerOf(path, {
    shape: async (severity, text) => {
      const last = await lastRecord(file);
      return formatKmsgRecord({
        priority: userPriority(severity),
        sequence: last === undefined ? 0 : last.sequence + 1,
        timestampUs: Math.max(sinceBootUs(), (last?.timestampUs ?? -1) + 1),
        text,
      });
    },
    append: (bytes) => whole(file, bytes),
    close: () => file.close(),
  });
}

/** Where records go, and in what form. */
interface Sink {
  shape(severity: number, text: string): string | Promise<string>;
  append(bytes: Buffer): Promise<void>;
  close(): Promise<void>;
}

/** Writes come one after the other, so that each knows the number of the one before. */
function writerOf(path: string, sink: Sink): KernelLogWriter {
  let last: Promise<void> = Promise.resolve();
  const write = async (text: string, severity: number) => {
    try {
      await sink.append(Buffer.from(await sink.shape(severity, text)));
    } catch (error) {
      throw kernelLogError(path, error);
    }
  };
  return {
    write: (text, { priority = errorSeverity } = {}) => {
      const problem = problemOf(text, priority);
      if (problem !== undefined) return Promise.reject(kernelLogError(path, problem));
      const done = last.then(() => write(text, priority));
      last = done.catch(() => {});
      return done;
    },
    close: async () => {
      await last;
      await sink.close();
    },
  };
}

/** One write, one record: what was taken in parts would be two. */
async function whole(file: FileHandle, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await file.write(bytes);
  if (bytesWritten < bytes.length) throw new Error("only a part of the line was taken");
}

/** Without its end of line the kernel waits for the rest of it, and shows the record to nobody. */
function deviceRecord(severity: number, text: string): string {
  return `<${severity}>${text}\n`;
}

/** Why a text cannot be one record; undefined when it can. */
function problemOf(text: string, severity: number): string | undefined {
  if (!Number.isInteger(severity) || severity < 0 || severity > 7) {
    return `${severity} is no severity from 0 to 7`;
  }
  if (text.trim() === "") return "an empty line says nothing";
  if (/[\u0000-\u001f\u007f]/.test(text)) return "the line holds a new line or a control character";
  const bytes = Buffer.byteLength(deviceRecord(severity, text));
  if (bytes <= recordBytesMax) return undefined;
  return `the line has ${bytes} bytes, and one record at most ${recordBytesMax}`;
}

/** Opens what was found before; a device is never created. */
async function openAs(path: string, kind: KernelLogKind): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_NOCTTY, O_NONBLOCK, O_RDWR, O_WRONLY } = constants;
  // A plain file is read as well, for the number of its last record.
  const mode = kind === "file" ? O_RDWR | O_APPEND | O_CREAT : O_WRONLY;
  try {
    const file = await open(path, mode | O_NOCTTY | O_NONBLOCK, 0o640);
    if (kernelLogKind(await file.stat()) === kind) return file;
    await file.close();
  } catch (error) {
    throw kernelLogError(path, error);
  }
  throw kernelLogError(path, "it changed while it was opened");
}

async function lastRecord(file: FileHandle) {
  const { size } = await file.stat();
  const start = Math.max(0, size - tailBytes);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(tailBytes), 0, tailBytes, start);
  const lines = buffer.toString("utf8", 0, bytesRead).split("\n");
  return lines.map(parseKmsgRecord).findLast((record) => record !== undefined);
}

/** Microseconds since the start of the machine, or of this process where that is not told. */
async function bootClock(clock: Clock): Promise<() => number> {
  const uptime = await readFile("/proc/uptime", "utf8").catch(() => "0");
  const atStartMs = (Number.parseFloat(uptime) || 0) * 1000 - clock.monotonicMs();
  return () => Math.max(0, Math.round((atStartMs + clock.monotonicMs()) * 1000));
}

async function statOrNothing(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw kernelLogError(path, error);
  }
}
