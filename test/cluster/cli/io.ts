import type { Clock } from "../../../src/platform/time/clock.ts";

/** The outside world of a command. */
export interface ToolIo {
  readonly clock: Clock;
  /** The result: one JSON value, or lines for a person. */
  result(json: unknown, lines: readonly string[]): void;
  /** What is going on, for a person. */
  progress(text: string): void;
}

/** Results on stdout, progress on stderr. */
export function createIo(clock: Clock, json: boolean): ToolIo {
  return {
    clock,
    result(value, lines) {
      process.stdout.write(json ? `${JSON.stringify(value, null, 2)}\n` : `${lines.join("\n")}\n`);
    },
    progress(text) {
      process.stderr.write(`cluster: ${text}\n`);
    },
  };
}
