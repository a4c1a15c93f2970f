import type { FaultView } from "../../hardware/api/index.ts";
import { messageOf } from "../../platform/errors/index.ts";
import type { Timer } from "../../platform/time/clock.ts";
import type { ServiceContext } from "../service.ts";
import type { FaultLook, FaultLooks } from "./fault-look.ts";
import { isLeft } from "./is-left.ts";
import type { OpenedFaultApi } from "./open-client.ts";
import { isLive } from "./predicted.ts";

export interface FaultWatchOptions {
  readonly context: Pick<ServiceContext, "clock" | "hub" | "log" | "metrics">;
  readonly api: OpenedFaultApi | undefined;
  readonly looks: FaultLooks;
}

const everyMsLive = 2_000;
const everyMsIdle = 30_000;
/** A third of the lease: two may be missed. */
const renewEveryMs = 20_000;
const runsMax = 1000;

/** Looks at the faults again and again: tells of changes, and keeps those alive that were asked for here. */
export class FaultWatch {
  readonly #options: FaultWatchOptions;
  /** What was known of each fault when it was last told of. */
  #known: ReadonlyMap<string, string> | undefined;
  /** Runs to keep alive, and when each was named by the monotonic clock. */
  readonly #runs = new Map<string, number>();
  #renewedMs = Number.NEGATIVE_INFINITY;
  #timer: Timer | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;
  #problem: string | undefined;

  constructor(options: FaultWatchOptions) {
    this.#options = options;
  }

  start(): void {
    const { api, context, looks } = this.#options;
    if (api === undefined) return;
    context.metrics.onScrape(async () => this.#measure(await looks.now()));
    this.lookSoon();
  }

  /** Renews the leases of a run until nothing of it is in force, or this server is gone. */
  keepAlive(run: string): void {
    if (this.#runs.size < runsMax) this.#runs.set(run, this.#options.context.clock.monotonicMs());
  }

  lookSoon(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#looking = this.#looking.then(() => this.#look());
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#timer?.cancel();
    await this.#looking;
  }

  async #look(): Promise<void> {
    if (this.#isStopped) return;
    const { looks, context } = this.#options;
    const askedMs = context.clock.monotonicMs();
    const look = await looks.look({ anew: true });
    if (look.known) {
      this.#tell(look);
      await this.#renew(look, askedMs);
    }
    this.#logProblem(look.known ? undefined : look.reason);
    if (this.#isStopped) return;
    const isBusy = look.known && look.faults.some(isLive);
    this.#timer?.cancel();
    this.#timer = context.clock.setTimer(isBusy ? everyMsLive : everyMsIdle, () => this.lookSoon());
  }

  #tell({ faults }: Extract<FaultLook, { known: true }>): void {
    const before = this.#known;
    this.#known = new Map(faults.map((fault) => [fault.id, newsOf(fault)]));
    // What was there before anybody looked is no news.
    if (before === undefined) return;
    for (const fault of faults) {
      const { id, state } = fault;
      if (before.get(id) !== newsOf(fault)) {
        this.#options.context.hub.publish("fault.changed", { id, state });
      }
    }
  }

  async #renew({ faults }: Extract<FaultLook, { known: true }>, askedMs: number): Promise<void> {
    const { api, context } = this.#options;
    const live = new Set(faults.filter(isLive).map(({ run }) => run));
    for (const [run, namedMs] of this.#runs) {
      // A look that began before the fault was made cannot know it.
      if (!live.has(run) && namedMs < askedMs) this.#runs.delete(run);
    }
    const nowMs = context.clock.monotonicMs();
    if (this.#runs.size === 0 || nowMs - this.#renewedMs < renewEveryMs) return;
    this.#renewedMs = nowMs;
    for (const run of this.#runs.keys()) {
      await api?.client.renew(run).catch((error: unknown) => {
        context.log.warn({ run, problem: messageOf(error) }, "a lease could not be renewed");
      });
    }
  }

  #logProblem(problem: string | undefined): void {
    const { log } = this.#options.context;
    if (problem !== undefined && this.#problem === undefined) {
      log.warn({ problem }, "the fault API cannot be asked");
    } else if (problem === undefined && this.#problem !== undefined) {
      log.info("the fault API answers again");
    }
    this.#problem = problem;
  }

  #measure(look: FaultLook): void {
    const { metrics } = this.#options.context;
    metrics.set("tessera_hardware_api_up", {}, look.known ? 1 : 0);
    if (!look.known) {
      metrics.clear("tessera_hardware_faults_live");
      metrics.clear("tessera_hardware_faults_left");
      return;
    }
    metrics.set("tessera_hardware_faults_live", {}, look.faults.filter(isLive).length);
    metrics.set("tessera_hardware_faults_left", {}, look.faults.filter(isLeft).length);
  }
}

/** What people watch a fault for: its way through its states, who saw what of it, and what is left of it. */
function newsOf({ state, sightings, left }: FaultView): string {
  return JSON.stringify([state, sightings, left]);
}
