import { once } from "node:events";
import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { LineParser, type ParsedLogLine } from "../../hardware/xid/index.ts";
import { exitCodes } from "../../platform/errors/index.ts";
import { readError } from "../../platform/files/file-problem.ts";
import { LineSplitter } from "../../platform/process/line-splitter.ts";
import type { Action } from "../invocation.ts";
import { writeLine } from "../output.ts";
import { ParseSummary, showLine } from "../xid/show-lines.ts";

/** Far more than the kernel keeps of a record; the rest of a longer line is not looked at. */
const lineCharsMax = 64 * 1024;

/** `tessera xid parse FILE`: what the detectors do with each of its lines. */
export const run: Action = async ({ args, globals, io, options, signal }) => {
  const path = resolve(io.cwd, args[0] ?? "");
  const driver = typeof options["driver"] === "string" ? options["driver"] : undefined;
  const summary = new ParseSummary();
  const ready: string[] = [];
  const show = globals.json ? (parsed: ParsedLogLine) => JSON.stringify(parsed) : showLine;
  const parser = new LineParser({
    ...(driver === undefined ? {} : { driver }),
    onLine: (parsed) => {
      summary.take(parsed);
      const line = show(parsed);
      if (line !== undefined) ready.push(`${line}\n`);
    },
  });
  const splitter = new LineSplitter({ lineCharsMax, onLine: (line) => parser.push(line) });
  const write = async () => {
    const text = ready.splice(0).join("");
    if (text !== "" && !io.stdout.write(text)) await once(io.stdout, "drain", { signal });
  };
  for await (const chunk of bytesOf(path, signal)) {
    splitter.push(chunk);
    await write();
  }
  splitter.end();
  parser.end();
  await write();
  if (!globals.json) for (const line of summary.lines()) writeLine(io.stdout, line);
  return exitCodes.good;
};

/** @throws TesseraError E_FILE_READ */
async function* bytesOf(path: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    yield* createReadStream(path, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw readError(path, error);
  }
}
