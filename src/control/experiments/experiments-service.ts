import { Semaphore } from "../../platform/concurrency/index.ts";
import type { Timer } from "../../platform/time/clock.ts";
import type { OverviewView } from "../api/overview.ts";
import { experimentsRoutes } from "../api/routes/experiments.ts";
import { requireOwnRight } from "../faults/own-rights.ts";
import type { Service, ServiceContext } from "../service.ts";
import { ExperimentWorker } from "./carry-out.ts";
import { childEnv } from "./child/child-env.ts";
import { everyOrder } from "./child/every-order.ts";
import { ExperimentBook } from "./experiment-book.ts";
import { ExperimentNotes } from "./experiment-notes.ts";
import { Experiments } from "./experiments-port.ts";
import { newHolder } from "./holder.ts";
import { JobQueue } from "./job-queue.ts";
import { planLimits } from "./plan-request.ts";
import { Recovery } from "./recovery.ts";
import { experimentSettings } from "./settings.ts";

export interface ExperimentsService extends Service {
  /** How it stands, for the overview. */
  summary(): Promise<OverviewView["experiments"]>;
}

const lookEveryMs = 5_000;
/** Who could not say for so long that it lives stops in time, before others take over. */
const unheardMs = 60_000;
const dayMs = 86_400_000;

/** Runs experiments in the background and answers about them. */
export function createExperimentsService(context: ServiceContext): ExperimentsService {
  const { config, store, clock, log, metrics } = context;
  const settings = experimentSettings(config);
  const book = new ExperimentBook(store);
  const queue = new JobQueue(settings);
  const holder = newHolder();
  const notes = new ExperimentNotes({ context, book, holder });
  const worker = new ExperimentWorker({
    context,
    holder,
    book,
    notes,
    settings,
    childEnv: () => childEnv(config),
    everyOrder: everyOrder(config),
  });
  const planning = new Semaphore(planLimits);
  const requireRight = requireOwnRight(context.clusterTokens?.client);
  const options = { context, settings, book, queue, worker, notes, planning, requireRight, holder };
  const port = new Experiments(options);
  metrics.onScrape(() => metrics.set("tessera_experiments_running", {}, queue.runningCount));
  const recovery = new Recovery(options);
  const heard = watchWhetherHeard(options);
  let timer: Timer | undefined;
  let looking: Promise<void> | undefined;
  let stopped: Promise<unknown> | undefined;
  const look = async () => {
    try {
      await book.seen(holder, clock.nowMs());
      heard.now();
      await stopWhatOthersStopped(options);
      recovery.begin();
    } catch (err) {
      log.warn({ err }, "experiments could not be looked after");
    }
    if (stopped === undefined) timer = clock.setTimer(lookEveryMs, () => begin());
  };
  const begin = () => {
    looking = look();
  };
  return {
    routes: experimentsRoutes(port),
    start: begin,
    stop: async () => {
      heard.stop();
      timer?.cancel();
      const reason = "the server was stopped";
      worker.close(reason);
      notes.close();
      await (stopped ??= Promise.all([looking, recovery.close(), queue.close(reason)]));
    },
    summary: async () => {
      const [running, outcomes] = await Promise.all([
        book.openCount(),
        book.outcomesSince(clock.nowMs() - dayMs),
      ]);
      const count = (outcome: string) => outcomes.get(outcome) ?? 0;
      return {
        running,
        lastDay: {
          pass: count("pass"),
          fail: count("fail"),
          inconclusive: count("inconclusive"),
        },
      };
    },
  };
}

type Parts = ConstructorParameters<typeof Experiments>[0];

/** Stops everything here when nobody has heard of this process for long. Needs nothing but the clock. */
function watchWhetherHeard({ queue, context }: Parts): { now(): void; stop(): void } {
  const { clock, log } = context;
  let heardMs = clock.monotonicMs();
  const look = () => {
    timer = clock.setTimer(lookEveryMs, look);
    if (clock.monotonicMs() - heardMs < unheardMs || queue.ids.length === 0) return;
    log.error("the store has not heard of this process for long: its experiments are stopped");
    for (const id of queue.ids) queue.stop(id, "the server could not reach its store");
  };
  let timer = clock.setTimer(lookEveryMs, look);
  return {
    now: () => {
      heardMs = clock.monotonicMs();
    },
    stop: () => timer.cancel(),
  };
}

/** Another process with the same store was asked to stop one of ours, or thought us gone and took it over. */
async function stopWhatOthersStopped({ book, queue, holder }: Parts): Promise<void> {
  // Ours before those of the store: what is begun meanwhile was not asked for.
  const { ids } = queue;
  const open = await book.open(holder);
  for (const { id, state, reason } of open) {
    if (state === "stopping") queue.stop(id, reason ?? "stopped by a person");
  }
  if (ids.length === 0) return;
  const searches = (await book.openReproducers()).filter((one) => one.holder === holder);
  const held = new Set([...open, ...searches].map(({ id }) => id));
  for (const id of ids) if (!held.has(id)) queue.stop(id, "another server has taken it over");
}
