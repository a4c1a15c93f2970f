import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { ShimStubs } from "./build.ts";

export interface CallerOptions {
  /** Its control block. @default none: the variable is not set */
  readonly control?: string;
  /** Without the shim when false. @default true */
  readonly shim?: boolean;
  /** GPUs that the stub has. @default 2 */
  readonly devices?: number;
}

/** A process that makes CUDA calls when told; native/caller.c says how. Ends with `using`. */
export class Caller implements AsyncDisposable {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;

  constructor({ library, caller }: ShimStubs, options: CallerOptions = {}) {
    const { control, shim = true, devices = 2 } = options;
    this.#child = spawn(caller, {
      env: {
        STUB_DEVICES: String(devices),
        ...(shim ? { LD_PRELOAD: library } : {}),
        ...(control === undefined ? {} : { TESSERA_CUDA_FAULT_CONTROL: control }),
      },
    });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** What it prints for a line. */
  async ask(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    return this.next(line);
  }

  /** The next line that it prints: the answer to a line that `begin` was said of. */
  async next(line: string): Promise<string> {
    const { done, value } = await this.#lines.next();
    if (done === true) throw new Error(`it ended at: ${line}`);
    return value;
  }

  /** What each of these lines prints. */
  async askAll(...lines: readonly string[]): Promise<readonly string[]> {
    const answers: string[] = [];
    for (const line of lines) answers.push(await this.ask(line));
    return answers;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.stdin.end();
    await ended;
  }
}
