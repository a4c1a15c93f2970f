import { createReadStream } from "node:fs";
import { isTesseraError, TesseraError } from "../../platform/errors/index.ts";
import { readError } from "../../platform/files/file-problem.ts";
import { LineSplitter } from "../../platform/process/line-splitter.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { type EventLog, LogReader } from "../../validation/replay/index.ts";

const fileBytesMax = 4 * 2 ** 30;
/** The first line lists the whole fleet. */
const lineCharsMax = 64 * 2 ** 20;

/**
 * Reads an event log line by line, without ever holding its text.
 *
 * @throws TesseraError E_LOG_INVALID naming the line, E_FILE_READ when the file cannot be read or is
 * larger than 4 GiB.
 */
export async function readLogFile(path: string, signal: AbortSignal): Promise<EventLog> {
  const reader = new LogReader(path);
  const splitter = new LineSplitter({ lineCharsMax, onLine: (line) => reader.take(line) });
  let sizeBytes = 0;
  try {
    for await (const chunk of createReadStream(path, { signal })) {
      sizeBytes += (chunk as Buffer).length;
      if (sizeBytes > fileBytesMax) {
        const problem = `it is larger than ${formatBytes(fileBytesMax)}`;
        throw new TesseraError("E_FILE_READ", { path, problem });
      }
      splitter.push(chunk as Buffer);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw isTesseraError(error) ? error : readError(path, error);
  }
  splitter.end();
  return reader.finish();
}
