import type { CommandIo } from "./invocation.ts";

/** Writes one line. */
export function writeLine(stream: CommandIo["stdout"], text: string): void {
  stream.write(`${text}\n`);
}

/** Writes a result as JSON, indented: one document, for people as well as programs. */
export function writeJson(stream: CommandIo["stdout"], value: unknown): void {
  writeLine(stream, JSON.stringify(value, null, 2));
}
