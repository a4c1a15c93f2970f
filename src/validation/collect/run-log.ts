import { closeSync, constants, mkdirSync, openSync, writeSync } from "node:fs";
import { messageOf } from "../../platform/errors/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import type { RunPaths } from "./log-tree.ts";

const sizeBytesMax = 16 * 2 ** 20;
const lineCharsMax = 16_384;

/** The log of one run, a line at a time. */
export interface RunLog {
  /** Adds a line; it is in the file when this returns. Never throws. */
  write(line: string): void;
  /** Why lines are missing from the file; undefined when none are. */
  problem(): string | undefined;
  close(): void;
}

export interface RunLogOptions {
  readonly path: string;
  readonly folder: RunPaths["folder"];
  readonly clock: Clock;
  /** Lines beyond this are left out. @default 16 MiB */
  readonly sizeBytesMax?: number;
}

/**
 * Opens a log whose lines outlive the process that wrote them. Each has its time. A log that cannot be
 * written is no reason not to run: `problem` says so.
 */
export function openRunLog(options: RunLogOptions): RunLog {
  const { path, folder, clock, sizeBytesMax: limitBytes = sizeBytesMax } = options;
  let file: number | undefined;
  let problem: string | undefined;
  let sizeBytes = 0;
  const attempt = (work: () => void) => {
    try {
      work();
    } catch (error) {
      problem ??= messageOf(error);
      file = undefined;
    }
  };
  attempt(() => {
    mkdirSync(folder, { recursive: true });
    const { O_APPEND, O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
    file = openSync(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW, 0o644);
  });
  return {
    write: (line) => {
      if (file === undefined) return;
      const time = new Date(clock.nowMs()).toISOString();
      // A line is a line: what a program prints must not be able to look like two.
      const text = line.slice(0, lineCharsMax).replaceAll(/[\r\n]+/g, " ");
      const bytes = Buffer.from(`${time} ${text}\n`);
      if (sizeBytes + bytes.length > limitBytes) {
        problem ??= `it is full with ${sizeBytes} bytes`;
        return;
      }
      sizeBytes += bytes.length;
      const target = file;
      attempt(() => void writeSync(target, bytes));
    },
    problem: () => problem,
    close: () => {
      const target = file;
      file = undefined;
      if (target !== undefined) attempt(() => closeSync(target));
    },
  };
}
