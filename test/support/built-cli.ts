import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { constants, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll } from "vitest";

/** The built product: `dist/`, or the folder TESSERA_DIST names. */
export const distDir = resolve(process.env["TESSERA_DIST"] ?? "dist");

export interface CliOptions {
  /** Variables to add to an otherwise nearly empty environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** @default a new empty folder, which is also the home directory */
  readonly cwd?: string;
  /** What to write to its standard input, which is otherwise empty. */
  readonly stdin?: string;
  /** When it is killed for hanging, in milliseconds. @default 60 000 */
  readonly limitMs?: number;
  /** Another script of the built product, or of the tests. @default the CLI itself */
  readonly script?: string;
}

export interface CliResult {
  /** As a shell sees it: 128 and the signal's number when a signal ended the process. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly result: Promise<CliResult>;
  /** Waits until what was written to stdout so far satisfies the condition. */
  untilStdout(isEnough: (text: string) => boolean): Promise<string>;
}

/** Children that still run. */
const running = new Set<RunningCli>();

// A test that gives up leaves its child behind; nothing may outlive its test file.
afterAll(async () => {
  for (const { child } of running) child.kill("SIGKILL");
  await Promise.allSettled([...running].map(({ result }) => result));
});

/** Starts the built CLI as a process of its own, which knows nothing of this machine's user. */
export async function startCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<RunningCli> {
  const script = options.script ?? join(distDir, "cli", "main.js");
  if (!existsSync(script)) throw new Error(`${script} is missing; run \`npm run build\` first`);
  const home = await mkdtemp(join(tmpdir(), "tessera-cli-"));
  const child = spawn(process.execPath, [script, ...args], {
    cwd: options.cwd ?? home,
    env: { PATH: process.env["PATH"], HOME: home, TZ: "UTC", ...options.env },
    // A child that hangs must fail its test, not the whole run.
    timeout: options.limitMs ?? 60_000,
    killSignal: "SIGKILL",
  });
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.stdin ?? "");
  return watch(child, home);
}

/** Runs the built CLI to its end. */
export async function runCli(
  args: readonly string[],
  options: CliOptions = {},
): Promise<CliResult> {
  return await (await startCli(args, options)).result;
}

function watch(child: ChildProcess, home: string): RunningCli {
  const texts = { stdout: "", stderr: "" };
  let onOutput = () => {};
  for (const name of ["stdout", "stderr"] as const) {
    child[name]?.setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      onOutput();
    });
  }
  const result = new Promise<CliResult>((resolveResult, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      running.delete(started);
      const shown = signal === null ? (code ?? 0) : 128 + constants.signals[signal];
      rm(home, { recursive: true, force: true }).then(
        () => resolveResult({ code: shown, ...texts }),
        reject,
      );
    });
  });
  const started: RunningCli = {
    child,
    result,
    untilStdout: (isEnough) =>
      new Promise((resolveText, reject) => {
        onOutput = () => {
          if (isEnough(texts.stdout)) resolveText(texts.stdout);
        };
        onOutput();
        const ended = ({ code, stdout, stderr }: CliResult) =>
          reject(new Error(`ended with ${code} before that: ${stdout}${stderr}`));
        result.then(ended, reject);
      }),
  };
  running.add(started);
  return started;
}
