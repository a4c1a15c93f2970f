import type {
  SlurmClient,
  SlurmJob,
  SlurmJobsOptions,
  SlurmNode,
} from "../../platform/slurm/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { SlurmWorkload } from "../plan/index.ts";
import { candidatesOf, isOver } from "./pick-job.ts";

/** The cluster at one moment. */
export interface SlurmView {
  /** Of a regular look, only those of the job's owner. */
  readonly jobs: readonly SlurmJob[];
  readonly nodes: readonly SlurmNode[];
  /** That of the workload; undefined: Slurm knows none. */
  readonly job: SlurmJob | undefined;
}

const lookEveryMsDefault = 1000;
/** Of the time between two looks: what is younger is not asked for again, for all faults look at the same. */
const freshShare = 0.9;

/** The job of a workload and the nodes, as the controller shows them. */
export class JobWatch {
  readonly #client: SlurmClient;
  readonly #clock: Clock;
  readonly #workload: SlurmWorkload;
  readonly #user: string;
  readonly #freshMs: number;
  /** The job that is followed until it is over, whoever else gets its name. */
  #followed: number | undefined;
  #last: { readonly view: SlurmView; readonly atMs: number } | undefined;
  #asking: Promise<SlurmView> | undefined;

  constructor(options: {
    readonly client: SlurmClient;
    readonly clock: Clock;
    readonly workload: SlurmWorkload;
    readonly user: string;
    /** Between two looks of a run. @default 1000 */
    readonly lookEveryMs?: number | undefined;
  }) {
    this.#client = options.client;
    this.#clock = options.clock;
    this.#workload = options.workload;
    this.#user = options.workload.user ?? options.user;
    this.#freshMs = (options.lookEveryMs ?? lookEveryMsDefault) * freshShare;
  }

  /** Whose the job is. */
  get user(): string {
    return this.#user;
  }

  /** As it is now. Those who ask while somebody asks get the same answer. @throws E_SLURM_* */
  look(): Promise<SlurmView> {
    const last = this.#last;
    if (last !== undefined && this.#clock.monotonicMs() - last.atMs < this.#freshMs) {
      return Promise.resolve(last.view);
    }
    this.#asking ??= this.#ask({ choice: { user: this.#user } }).finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** As it is now, and not a moment ago, with the jobs of all: for what is done next. @throws E_SLURM_* */
  async lookAgain(): Promise<SlurmView> {
    // An answer that is under way may be of before what was done last.
    await this.#asking?.catch(() => {});
    return this.#ask({});
  }

  async #ask(which: SlurmJobsOptions): Promise<SlurmView> {
    const jobs = await this.#client.jobs(which);
    const nodes = await this.#client.nodes();
    const candidates = candidatesOf(jobs, this.#workload, this.#user);
    const job =
      candidates.find((one) => one.id === this.#followed && !isOver(one)) ?? candidates[0];
    this.#followed = job?.id;
    const view = { jobs, nodes, job };
    this.#last = { view, atMs: this.#clock.monotonicMs() };
    return view;
  }
}
