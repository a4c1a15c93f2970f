import { formatError, type TesseraError, toTesseraError } from "../../../platform/errors/index.ts";
import type { RunningProcess } from "../../../platform/process/index.ts";
import type { SlurmClient } from "../../../platform/slurm/index.ts";
import { sleep } from "../../../platform/time/clock.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import { type AllocationRequest, allocationArguments } from "./allocation-request.ts";
import { giveBack } from "./give-back.ts";
import { jobError, jobOf } from "./job-problem.ts";
import { type SlurmTools, startTool, toolFailed } from "./tools.ts";

/** Nodes that are ours for a while. */
export interface NodeAllocation {
  readonly jobId: number;
  readonly partition: string;
  /** In Slurm's order. */
  readonly nodes: readonly { readonly name: string; readonly address: string }[];
  /** Gives the nodes back, and ends what still runs there. May be called twice. */
  release(): Promise<void>;
}

export interface AllocateOptions {
  readonly client: SlurmClient;
  /** Whose job it is; undefined when not known. */
  readonly user: string | undefined;
  readonly tools: SlurmTools;
  readonly signal: AbortSignal;
  /** How long the job may wait for its nodes. */
  readonly pendingMs: number;
  /** Told once when the job has to wait. */
  readonly onPending?: (jobId: number) => void;
  /** Told of what keeps the nodes from going back, beside any error that is thrown. */
  readonly onProblem?: (problem: string) => void;
}

/** Reasons of Slurm for a job that asks for more time than its place allows. */
const tooLong = /TimeLimit|MaxWall/;

/**
 * Nodes for ranks, by salloc. The allocation lives as long as this process: salloc holds it while a
 * program watches us, and gives it back when we are gone, even by SIGKILL.
 *
 * @throws E_SLURM_MISSING; E_SLURM_FAILED with salloc's words when Slurm refuses; E_SLURM_JOB when the
 * nodes do not come in time; the signal's reason, after the job is gone.
 */
export async function allocateNodes(
  request: AllocationRequest,
  options: AllocateOptions,
): Promise<NodeAllocation> {
  const { client, tools, signal, onProblem } = options;
  signal.throwIfAborted();
  const holder = new Holder(options);
  // What salloc waits for ends with us; where the job ends first, salloc ends that.
  const keeper = ["--kill-command=TERM", "tail", `--pid=${process.pid}`, "-f", "/dev/null"];
  const salloc = await startTool("salloc", [...allocationArguments(request), ...keeper], {
    tools,
    // It outlives us for the moment that it needs to give the nodes back.
    dieWithParent: false,
    onLine: (line) => holder.hear(line),
  });
  const release = once(() => {
    const { jobId } = holder;
    const onAway = (problem: string) =>
      onProblem?.(`Job ${jobId} is not given back yet: ${problem}.`);
    return giveBack(salloc, { view: options, clock: tools.clock, jobId, onAway });
  });
  try {
    const jobId = await holder.granted(salloc);
    const [job, nodes] = await Promise.all([jobOf(options, jobId), client.nodes()]);
    if (job === undefined) throw jobError(jobId, "is not known to the controller");
    return {
      jobId,
      partition: job.partition,
      nodes: job.nodes.map((name) => {
        const address = nodes.find((node) => node.name === name)?.address ?? "";
        return { name, address: address === "" ? name : address };
      }),
      release,
    };
  } catch (error) {
    await release().catch((problem: unknown) => onProblem?.(formatError(toTesseraError(problem))));
    throw error;
  }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => {
    done ??= act();
    return done;
  };
}

/** What salloc has said so far. */
class Holder {
  readonly #options: AllocateOptions;
  jobId: number | undefined;
  #grant: (jobId: number) => void = () => {};
  readonly #granted: Promise<number>;
  #lastWords = "salloc said nothing";

  constructor(options: AllocateOptions) {
    this.#options = options;
    this.#granted = new Promise((resolve) => {
      this.#grant = resolve;
    });
  }

  hear(line: string): void {
    if (line.trim() !== "") this.#lastWords = line.replace(/^salloc: (error: )?/, "").slice(0, 500);
    const [, word, id] = /\b(Granted|Pending) job allocation (\d+)/.exec(line) ?? [];
    if (id === undefined) return;
    const wasKnown = this.jobId !== undefined;
    this.jobId = Number(id);
    if (word === "Granted") this.#grant(this.jobId);
    else if (!wasKnown) this.#options.onPending?.(this.jobId);
  }

  /** The job's number, once it has its nodes. */
  async granted(salloc: RunningProcess): Promise<number> {
    const { tools, pendingMs, signal } = this.#options;
    const over = new AbortController();
    const stop = AbortSignal.any([over.signal, signal]);
    try {
      return await Promise.race([
        this.#granted,
        salloc.exited.then(() => {
          throw toolFailed("salloc", this.#lastWords);
        }),
        sleep(tools.clock, pendingMs, stop).then(async () => {
          throw await this.#pendingTooLong(pendingMs);
        }),
      ]);
    } finally {
      over.abort();
    }
  }

  async #pendingTooLong(pendingMs: number): Promise<TesseraError> {
    const { jobId } = this;
    // A controller that is away takes nothing from what is known without it.
    const job = jobId && (await jobOf(this.#options, jobId).catch(() => undefined));
    const reason = (job && job.reason) || "";
    const why = reason === "" ? "" : `; Slurm says why: ${reason}`;
    return jobError(
      jobId ?? "without a number",
      `did not get its nodes within ${formatDurationMs(pendingMs)}${why}`,
      tooLong.test(reason)
        ? "Ask for less with --time, or for a partition or QOS that allows more."
        : "Wait longer with --pending-timeout, or ask for fewer nodes or another partition.",
    );
  }
}
