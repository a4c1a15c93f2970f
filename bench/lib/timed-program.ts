import { type ChildProcess, spawn } from "node:child_process";
import type { Clock } from "../../src/platform/time/index.ts";

export interface TimedProgramOptions {
  readonly clock: Clock;
  readonly file: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What it prints is thrown away. @default false */
  readonly discard?: boolean;
  /** It is ended then. @default 900_000 */
  readonly timeoutMs?: number;
}

/** A program that runs and can be spoken to, with the time since it was started. */
export class TimedProgram {
  readonly #clock: Clock;
  readonly #startedMs: number;
  readonly #child: ChildProcess;
  readonly #file: string;
  readonly #ended: Promise<number | null>;
  readonly #waiting: ((line: string | undefined) => void)[] = [];
  readonly #lines: string[] = [];
  #over = false;

  constructor(options: TimedProgramOptions) {
    this.#clock = options.clock;
    this.#file = options.file;
    this.#startedMs = options.clock.monotonicMs();
    this.#child = spawn(options.file, options.args, {
      stdio: ["pipe", options.discard === true ? "ignore" : "pipe", "inherit"],
      env: { PATH: process.env["PATH"], ...options.env },
      timeout: options.timeoutMs ?? 900_000,
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#child.on("error", reject);
      this.#child.on("close", (code) => {
        this.#over = true;
        for (const tell of this.#waiting.splice(0)) tell(undefined);
        resolve(code);
      });
    });
    // Who waits for the end hears of it; nobody has to.
    this.#ended.catch(() => undefined);
    let text = "";
    this.#child.stdout?.setEncoding("utf8").on("data", (piece: string) => {
      const lines = `${text}${piece}`.split("\n");
      text = lines.pop() ?? "";
      for (const line of lines) this.#hear(line);
    });
  }

  /** Milliseconds since the start. */
  get tookMs(): number {
    return this.#clock.monotonicMs() - this.#startedMs;
  }

  /** The next line it prints; throws when it ends instead. */
  async line(): Promise<string> {
    const line = this.#lines.shift() ?? (this.#over ? undefined : await this.#next());
    if (line === undefined) throw new Error(`${this.#file} ended without a word`);
    return line;
  }

  say(line: string): void {
    this.#child.stdin?.write(`${line}\n`);
  }

  /** Waits for a good end and says how long all of it took. */
  async end(): Promise<number> {
    this.#child.stdin?.end();
    const code = await this.#ended;
    if (code !== 0) throw new Error(`${this.#file} ended with ${code}`);
    return this.tookMs;
  }

  #hear(line: string): void {
    const tell = this.#waiting.shift();
    if (tell === undefined) this.#lines.push(line);
    else tell(line);
  }

  #next(): Promise<string | undefined> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
