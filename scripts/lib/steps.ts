import { spawn } from "node:child_process";

/** One program of a list that runs as a whole. */
export interface Step {
  readonly name: string;
  /** The program and its arguments; never a shell. */
  readonly command: readonly [string, ...string[]];
}

export interface StepResult {
  readonly name: string;
  readonly passed: boolean;
  readonly durationMs: number;
  /** What it wrote to stdout and stderr, the end of it when it was too much. */
  readonly output: string;
}

export interface StepOptions {
  /** How many run at the same time. */
  readonly parallel: number;
  readonly cwd: string;
  /** Called as each one ends. */
  readonly onDone?: (result: StepResult) => void;
}

const outputCharactersMax = 200_000;

/** Runs every step, whatever becomes of the others, and returns the results in the order given. */
export async function runSteps(
  steps: readonly Step[],
  options: StepOptions,
): Promise<readonly StepResult[]> {
  const results = new Map<Step, StepResult>();
  const waiting = [...steps];
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) {
      const result = await runStep(step, options.cwd);
      results.set(step, result);
      options.onDone?.(result);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, lane));
  return steps.flatMap((step) => results.get(step) ?? []);
}

function runStep({ name, command: [program, ...args] }: Step, cwd: string): Promise<StepResult> {
  const startedMs = performance.now();
  return new Promise((resolve) => {
    let output = "";
    const keep = (text: string) => {
      output = (output + text).slice(-outputCharactersMax);
    };
    const end = (passed: boolean) =>
      resolve({ name, passed, durationMs: performance.now() - startedMs, output });
    const child = spawn(program, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.setEncoding("utf8").on("data", keep);
    child.stderr.setEncoding("utf8").on("data", keep);
    child.on("error", (error) => {
      keep(`could not run ${program}: ${error.message}\n`);
      end(false);
    });
    child.on("close", (code, signal) => {
      if (signal !== null) keep(`killed by ${signal}\n`);
      end(code === 0);
    });
  });
}

/** `types    passed   1.2 s` */
export function resultLine({ name, passed, durationMs }: StepResult): string {
  const seconds = `${(durationMs / 1000).toFixed(1)} s`;
  return `${name.padEnd(8)} ${passed ? "passed" : "FAILED"} ${seconds.padStart(8)}`;
}
