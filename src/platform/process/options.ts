import type { Clock } from "../time/clock.ts";

/** What every way of starting a program understands. */
export interface ProcessOptions {
  /** Times limits and grace periods. */
  readonly clock: Clock;
  /** The folder to run in. @default this process's own */
  readonly cwd?: string;
  /** Variables set on top of the inherited ones; `undefined` takes one away. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Which of this process's variables the program sees: all, or only those named. @default "all" */
  readonly envInherit?: "all" | readonly string[];
  /** Ends the program: SIGTERM to its group, SIGKILL after the grace period. */
  readonly signal?: AbortSignal;
  /** How long the group may take to end after SIGTERM. @default 2000 */
  readonly graceMs?: number;
  /**
   * Whether the group is killed when this process ends, however it ends, SIGKILL included.
   * @default true
   */
  readonly dieWithParent?: boolean;
}

/** How a program ended: by itself with a code, or by a signal. */
export interface ProcessExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export const graceMsDefault = 2000;

/** The variables a program will see. */
export function environmentOf(
  options: Pick<ProcessOptions, "env" | "envInherit">,
  own: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const { envInherit = "all", env = {} } = options;
  const names = envInherit === "all" ? Object.keys(own) : envInherit;
  const inherited = names.map((name) => [name, own[name]] as const);
  const seen = new Map([...inherited, ...Object.entries(env)]);
  return Object.fromEntries(
    [...seen].filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
