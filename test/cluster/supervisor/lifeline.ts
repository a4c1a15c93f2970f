import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";

/** JSON values, one a line, over a stream. */
export function sendLine(stream: Duplex, message: unknown): void {
  if (!stream.destroyed) stream.write(`${JSON.stringify(message)}\n`);
}

/** Calls back for every line; `onEnd` once, when the other side is gone. */
export function receiveLines(
  stream: Duplex,
  handlers: { onMessage(message: unknown): void; onEnd(): void },
): void {
  const lines = createInterface({ input: stream });
  lines.on("line", (line) => handlers.onMessage(JSON.parse(line)));
  lines.once("close", () => handlers.onEnd());
  // A reset is an end; `close` follows it.
  stream.on("error", () => lines.close());
}
