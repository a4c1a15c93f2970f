import { closeSync, constants, openSync, readSync } from "node:fs";
import { messageOf } from "../../../../platform/errors/index.ts";
import { type BootTime, type KernelLine, parseKmsgLine } from "./kernel-log.ts";

/** A read gives one record of the device; the kernel cuts them at less than this. */
const recordBytesMax = 8192;
const readsMax = 500_000;

/**
 * The kernel's own log, oldest first, or why it cannot be read: it needs root or CAP_SYSLOG on most
 * machines. Does not wait for new messages.
 */
export function readKmsg(path: string, boot: BootTime): KernelLine[] | { readonly reason: string } {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    return { reason: messageOf(error) };
  }
  try {
    const lines = readRecords(file).split("\n");
    return lines.map((line) => parseKmsgLine(line, boot)).filter((line) => line !== undefined);
  } catch (error) {
    return { reason: messageOf(error) };
  } finally {
    closeSync(file);
  }
}

function readRecords(file: number): string {
  const buffer = Buffer.alloc(recordBytesMax);
  const records: string[] = [];
  for (let reads = 0; reads < readsMax; reads++) {
    const bytes = readRecord(file, buffer);
    if (bytes === 0) break;
    if (bytes !== undefined) records.push(buffer.toString("utf8", 0, bytes));
  }
  return records.join("");
}

/** 0 at the end; undefined when the record was overwritten while it was read. */
function readRecord(file: number, buffer: Buffer): number | undefined {
  try {
    return readSync(file, buffer);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "EAGAIN") return 0;
    if (code === "EPIPE") return undefined;
    throw error;
  }
}
