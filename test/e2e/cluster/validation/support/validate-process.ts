import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { LoopEvent } from "../../../../../src/validation/loop/index.ts";
import {
  type CliOptions,
  type CliResult,
  type RunningCli,
  runCli,
  startCli,
} from "../../../../support/built-cli.ts";
import { waitUntil } from "../../../../support/wait-until.ts";

/** One loop may serve a whole test file. */
const lifeMsMax = 1_800_000;

/** The loop of the built CLI, as a process of its own. */
export interface ValidateProcess {
  readonly pid: number;
  /** What it has told so far. */
  readonly events: readonly LoopEvent[];
  /** What it has told so far, of one type. */
  told<Type extends LoopEvent["type"]>(type: Type): readonly EventOf<Type>[];
  /** Waits until what it has told satisfies a condition; fails at once when it ends before. */
  until(
    what: string,
    condition: (process: ValidateProcess) => boolean | Promise<boolean>,
    options?: { readonly timeoutMs?: number },
  ): Promise<void>;
  /** Its log and errors so far. */
  readonly log: string;
  /** Presses Ctrl-C and waits for its end. Twice is once. */
  stop(): Promise<CliResult>;
  /** `kill -9`; resolves when it is dead. */
  kill(): Promise<CliResult>;
}

export type EventOf<Type extends LoopEvent["type"]> = Extract<LoopEvent, { readonly type: Type }>;

/** Writes a configuration into a folder that is also its data folder; returns the file. */
export async function writeConfig(
  folder: string,
  config: Readonly<Record<string, unknown>>,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, "tessera.yaml");
  // JSON is YAML.
  const values = { version: 1, dataDir: folder, log: { level: "info", format: "json" }, ...config };
  await writeFile(path, JSON.stringify(values, undefined, 2));
  return path;
}

/** Starts `tessera validate` on a configuration file. It ends with the test file at the latest. */
export async function startValidate(
  configFile: string,
  args: readonly string[] = [],
): Promise<ValidateProcess> {
  const cli = ["validate", "--json", "--config", configFile, ...args];
  const running = await startCli(cli, { limitMs: lifeMsMax });
  return follow(running);
}

/** Runs another command of the CLI on the same configuration. */
export function runOnConfig(
  configFile: string,
  args: readonly string[],
  options: Pick<CliOptions, "limitMs"> = {},
): Promise<CliResult> {
  return runCli([...args, "--config", configFile], options);
}

function follow({ child, result }: RunningCli): ValidateProcess {
  const events: LoopEvent[] = [];
  let unfinished = "";
  let log = "";
  let ended: CliResult | undefined;
  child.stdout?.on("data", (text: string) => {
    const lines = `${unfinished}${text}`.split("\n");
    unfinished = lines.pop() ?? "";
    for (const line of lines) events.push(JSON.parse(line) as LoopEvent);
  });
  child.stderr?.on("data", (text: string) => {
    log += text;
  });
  const end = result.then((value) => {
    ended = value;
    return value;
  });
  const signal = async (name: "SIGINT" | "SIGKILL") => {
    if (ended === undefined) child.kill(name);
    return await end;
  };
  const process: ValidateProcess = {
    pid: child.pid ?? 0,
    events,
    told: <Type extends LoopEvent["type"]>(type: Type) =>
      events.filter((event): event is EventOf<Type> => event.type === type),
    until: async (what, condition, options) => {
      const isSo = async () => {
        if (await condition(process)) return true;
        if (ended === undefined) return false;
        throw new Error(`it ended with ${ended.code} before ${what}: ${lastOf(ended.stderr)}`);
      };
      await waitUntil(what, isSo, { timeoutMs: 240_000, ...options });
    },
    get log() {
      return log;
    },
    stop: () => signal("SIGINT"),
    kill: () => signal("SIGKILL"),
  };
  return process;
}

function lastOf(text: string): string {
  return text.slice(-2_000);
}
