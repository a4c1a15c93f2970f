import { createReadStream } from "node:fs";
import { TesseraError } from "../../platform/errors/index.ts";
import { readError } from "../../platform/files/file-problem.ts";
import { LineSplitter } from "../../platform/process/line-splitter.ts";
import { formatBytes } from "../../platform/units/index.ts";
import { type ParsedLine, parseLine } from "../../validation/classify/index.ts";

/** Limits of a file of runs: what a fleet of 10,000 nodes writes in a year fits. */
export interface RunFileLimits {
  /** @default 8 MiB of text */
  readonly lineCharsMax?: number;
  /** @default 2 million */
  readonly linesMax?: number;
  /** @default 4 GiB */
  readonly fileBytesMax?: number;
}

const nothing = { node: null, check: null, timestamp: null } as const;

/**
 * Reads a file of runs as a stream, line by line. A line that is too long or not UTF-8 is one that
 * cannot be read; it does not stop the others.
 *
 * @throws E_FILE_READ when the file cannot be read or is beyond the limits.
 */
export async function readRunLines(
  path: string,
  { signal, ...limits }: RunFileLimits & { readonly signal?: AbortSignal },
): Promise<readonly ParsedLine[]> {
  const { lineCharsMax = 8 * 2 ** 20, linesMax = 2_000_000, fileBytesMax = 4 * 2 ** 30 } = limits;
  const lines: ParsedLine[] = [];
  const onLine = (text: string) => {
    if (lines.length >= linesMax) throw tooLarge(path, `it has more than ${linesMax} lines`);
    lines.push(readLine(lines.length === 0 ? text.replace(/^\uFEFF/, "") : text, lineCharsMax));
  };
  const splitter = new LineSplitter({ lineCharsMax, onLine });
  let totalBytes = 0;
  try {
    for await (const chunk of createReadStream(path, { signal })) {
      totalBytes += (chunk as Buffer).length;
      if (totalBytes > fileBytesMax)
        throw tooLarge(path, `it is larger than ${formatBytes(fileBytesMax)}`);
      splitter.push(chunk as Buffer);
    }
    splitter.end();
  } catch (error) {
    if (signal?.aborted === true) throw signal.reason;
    throw error instanceof TesseraError ? error : readError(path, error);
  }
  return lines;
}

function readLine(text: string, lineCharsMax: number): ParsedLine {
  if (text.length > lineCharsMax)
    return { ...nothing, problem: `is longer than ${lineCharsMax} characters` };
  // What the decoder puts in the place of bytes that are not UTF-8.
  if (text.includes("\uFFFD")) return { ...nothing, problem: "is not UTF-8 text" };
  return parseLine(text);
}

function tooLarge(path: string, problem: string): TesseraError {
  const hint = "Split it by check, or keep only the last months of each node.";
  return new TesseraError("E_FILE_READ", { path, problem }, { hint });
}
