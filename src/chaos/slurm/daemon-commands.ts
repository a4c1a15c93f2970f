import { runProcess } from "../../platform/process/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { NodeHook } from "../live/index.ts";

/** A program and its arguments; `{node}` in them stands for the name of the node. */
export type DaemonCommand = readonly [string, ...string[]];

export interface DaemonCommands {
  readonly stop: DaemonCommand;
  readonly start: DaemonCommand;
  readonly clock: Clock;
}

const timeoutMs = 60_000;
const outputBytesMax = 65_536;
const place = "{node}";
/** What Slurm takes as a name of a node; nothing that a program could read as an option. */
const nodePattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}$/;

/** Stops and starts the daemons of nodes by commands of the installation. No shell reads them. */
export function createDaemonHook({ stop, start, clock }: DaemonCommands): NodeHook {
  const run = async (command: DaemonCommand, node: string) => {
    if (!nodePattern.test(node)) throw new Error(`${node} is no name of a node`);
    const [program, ...args] = wordsFor(command, node);
    const result = await runProcess(program, args, { clock, timeoutMs, outputBytesMax });
    if (result.timedOut) throw new Error(`${program} took more than ${timeoutMs / 1000} s`);
    if (result.exitCode === 0) return;
    const said = result.stderr.trim().slice(0, 500);
    throw new Error(`${program} failed for node ${node}${said === "" ? "" : `: ${said}`}`);
  };
  return {
    stop: (node) => run(stop, node),
    start: (node) => run(start, node),
  };
}

function wordsFor([program, ...args]: DaemonCommand, node: string): [string, ...string[]] {
  return [program, ...args.map((word) => word.replaceAll(place, node))];
}
