import { TesseraError } from "../../../platform/errors/index.ts";
import {
  type ProcessExit,
  ProcessStartError,
  type RunningProcess,
  startProcess,
} from "../../../platform/process/index.ts";
import type { JobPhase, JobRequest, JobView } from "../cluster.ts";
import { jobEnvironment } from "../job-environment.ts";
import { openJobOutput } from "./job-output.ts";
import type { LocalClusterOptions } from "./options.ts";

/** What is known about one job. */
interface LocalJob {
  readonly request: JobRequest;
  readonly createdAtMs: number;
  phase: JobPhase;
  startedAtMs?: number;
  detail?: string;
  /** The program; settles when it runs, or cannot. */
  readonly starting: Promise<RunningProcess>;
}

export type LocalJobsOptions = Pick<
  LocalClusterOptions,
  "name" | "clock" | "log" | "resultDir" | "command" | "graceMs" | "finishedMax"
> & {
  readonly onChange: () => void;
  /** A program has ended; before `onChange`. */
  readonly onEnded: () => void;
};

/** The jobs of this machine: child processes, which end with us. */
export class LocalJobs {
  readonly #options: LocalJobsOptions;
  readonly #jobs = new Map<string, LocalJob>();

  constructor(options: LocalJobsOptions) {
    this.#options = options;
  }

  views(): readonly JobView[] {
    return [...this.#jobs].map(([name, job]) => ({
      name,
      runId: job.request.intent.id,
      node: job.request.intent.node,
      phase: job.phase,
      createdAtMs: job.createdAtMs,
      ...(job.startedAtMs === undefined ? {} : { startedAtMs: job.startedAtMs }),
      ...(job.detail === undefined ? {} : { detail: job.detail }),
    }));
  }

  /** Starts the program of a job; a job that is known is left as it is. */
  async submit(request: JobRequest): Promise<void> {
    const { clock } = this.#options;
    const { jobName } = request.intent;
    if (this.#jobs.has(jobName)) return;
    const starting = this.#start(request);
    const createdAtMs = clock.nowMs();
    const job: LocalJob = { request, createdAtMs, phase: "pending", starting };
    this.#jobs.set(jobName, job);
    this.#options.onChange();
    try {
      const running = await starting;
      job.startedAtMs = clock.nowMs();
      if (job.phase === "pending") job.phase = "running";
      void running.exited.then((exit) => this.#ended(job, exit));
    } catch (error) {
      this.#jobs.delete(jobName);
      throw this.#refusal(error, jobName);
    } finally {
      this.#options.onChange();
    }
  }

  /** Ends a job and forgets it. */
  async cancel(jobName: string): Promise<void> {
    const job = this.#jobs.get(jobName);
    if (job === undefined) return;
    if (!isFinished(job.phase)) {
      job.phase = "gone";
      this.#options.onChange();
      // One that cannot be started has nothing to end; whoever submitted it hears why.
      const running = await job.starting.catch(() => undefined);
      await running?.stop({ graceMs: this.#graceMs });
    }
    this.#jobs.delete(jobName);
    this.#options.onChange();
  }

  get #graceMs(): number {
    return this.#options.graceMs ?? 15_000;
  }

  async #start(request: JobRequest): Promise<RunningProcess> {
    const { clock, resultDir, command } = this.#options;
    const { intent } = request;
    const output = openJobOutput(resultDir, intent, clock);
    const [file, ...args] = command;
    try {
      const running = await startProcess(file, [...args, "check", "run", intent.check], {
        clock,
        env: jobEnvironment(request, resultDir),
        graceMs: this.#graceMs,
        onLine: (line) => output.write(line),
      });
      void running.exited.then(() => {
        output.close();
        this.#options.onEnded();
      });
      return running;
    } catch (error) {
      output.close();
      throw error;
    }
  }

  #ended(job: LocalJob, { exitCode, signal }: ProcessExit): void {
    const { log, name } = this.#options;
    if (job.phase === "gone") return;
    job.phase = exitCode === 0 ? "succeeded" : "failed";
    if (exitCode !== 0) {
      job.detail = signal === null ? `exit code ${exitCode}` : `ended by ${signal}`;
      log.warn(
        { cluster: name, job: job.request.intent.jobName, detail: job.detail },
        "job failed",
      );
    }
    this.#forgetOldest();
    this.#options.onChange();
  }

  #forgetOldest(): void {
    const finished = [...this.#jobs].filter(([, { phase }]) => isFinished(phase));
    const excess = finished.length - (this.#options.finishedMax ?? 1000);
    for (const [name] of finished.slice(0, Math.max(0, excess))) this.#jobs.delete(name);
  }

  #refusal(error: unknown, job: string): unknown {
    if (!(error instanceof ProcessStartError) || !error.missing) return error;
    const details = { cluster: this.#options.name, job, problem: error.message };
    return new TesseraError("E_JOB_REFUSED", details, { cause: error });
  }
}

function isFinished(phase: JobPhase): boolean {
  return phase === "succeeded" || phase === "failed";
}
