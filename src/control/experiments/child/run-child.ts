import { messageOf } from "../../../platform/errors/index.ts";
import { startProcess } from "../../../platform/process/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { formatBytes } from "../../../platform/units/index.ts";
import { guardMemory } from "./memory-guard.ts";
import { type ChildLine, type ChildOrder, childLineSchema } from "./orders.ts";

/** How a child ended: with its result, with an error of ours, or without a word. */
export type ChildEnd =
  | { readonly how: "done" }
  | {
      readonly how: "failed";
      readonly code: string;
      readonly message: string;
      readonly hint: string;
      readonly shown?: Readonly<Record<string, unknown>>;
    }
  | { readonly how: "gone"; readonly reason: string };

export interface RunChildOptions {
  /** How this program is started again. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly clock: Clock;
  /** Which of this process's variables it sees, and what is set on top of them. */
  readonly envInherit: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks it to undo everything and end; what is left after `graceMs` is killed. */
  readonly signal: AbortSignal;
  readonly graceMs: number;
  /** Ended, as by the signal, when its group holds more; killed when it holds a quarter more than that. */
  readonly memoryLimitBytes: number;
  onLine(line: ChildLine): void;
}

/** A plan of very many faults is the longest line there is. */
const lineCharsMax = 4 * 2 ** 20;
const complaintsMax = 5;

/** Has an order carried out in a process of its own. Never rejects. */
export async function runChild(order: ChildOrder, options: RunChildOptions): Promise<ChildEnd> {
  const { command, clock, env, envInherit, signal, graceMs, memoryLimitBytes, onLine } = options;
  const [program, ...args] = command;
  const complaints: string[] = [];
  let end: ChildEnd | undefined;
  const listen = (text: string, stream: "stdout" | "stderr"): void => {
    const line = stream === "stdout" ? lineOf(text) : undefined;
    if (line === undefined) {
      complaints.push(text.slice(0, 400));
      if (complaints.length > complaintsMax) complaints.shift();
    } else if (line.line === "done") end = { how: "done" };
    else if (line.line === "failed") end = { how: "failed", ...withoutLine(line) };
    else onLine(line);
  };
  try {
    const child = await startProcess(program, [...args, "agent", "experiment"], {
      clock,
      env,
      envInherit,
      signal,
      graceMs,
      input: JSON.stringify(order),
      onLine: listen,
      lineCharsMax,
    });
    let overBytes: number | undefined;
    const guard = guardMemory(child.pid, {
      clock,
      limitBytes: memoryLimitBytes,
      onOver: (heldBytes) => {
        overBytes = heldBytes;
        void child.stop({ graceMs });
      },
      onFarOver: (heldBytes) => {
        overBytes = heldBytes;
        void child.stop({ graceMs: 0 });
      },
    });
    const { exitCode, signal: killedBy } = await child.exited.finally(() => guard.stop());
    if (overBytes !== undefined)
      return { how: "gone", reason: tooLarge(overBytes, memoryLimitBytes) };
    if (end !== undefined) return end;
    const how = killedBy === null ? `ended with exit code ${exitCode}` : `was ended by ${killedBy}`;
    const said = complaints.length === 0 ? "" : `: ${complaints.join(" ")}`;
    return { how: "gone", reason: `its process ${how}${said}` };
  } catch (error) {
    return { how: "gone", reason: `its process could not be started: ${messageOf(error)}` };
  }
}

function tooLarge(heldBytes: number, limitBytes: number): string {
  const limit = `the ${formatBytes(limitBytes)} of \`experiments.memoryLimit\``;
  return `its process held ${formatBytes(heldBytes)} of memory, more than ${limit}, and was ended`;
}

function withoutLine({ line: _line, ...error }: Extract<ChildLine, { line: "failed" }>) {
  return error;
}

function lineOf(text: string): ChildLine | undefined {
  try {
    return childLineSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
