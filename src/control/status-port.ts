import { hostname } from "node:os";
import {
  type DoctorPort,
  type EventHub,
  type Figure,
  measured,
  type ReadinessView,
  type StatusPort,
  type StatusView,
} from "../platform/http/index.ts";
import type { Store } from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { withDeadline } from "../platform/time/deadline.ts";
import { version } from "../version.ts";
import { Kept } from "./fleet/kept.ts";

export interface StatusPortOptions {
  readonly store: Pick<Store, "facts" | "schemaVersion" | "shown">;
  readonly storeAnswer: StoreAnswer;
  readonly doctor: Pick<DoctorPort, "view">;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
}

/** How long the smallest query takes; null when the store does not answer in time or at all. */
export type StoreAnswer = () => Promise<Figure | null>;

const storeAnswerTimeoutMs = 2000;
/** Anybody may ask whether we are ready, as often as they like. */
const answerKeptMs = 1000;

/** What the control plane says about itself. */
export function createStatusPort(options: StatusPortOptions): StatusPort {
  const { store, storeAnswer, doctor, hub, clock } = options;
  const startedAt = new Date(clock.nowMs()).toISOString();
  const startMs = clock.monotonicMs();
  const readiness = (answer: Figure | null): ReadinessView => {
    const checks = readinessChecks({
      storeAnswers: answer !== null,
      doctorHasRun: doctor.view().lastRun !== null,
      stopping: options.isStopping(),
    });
    return { ready: checks.every((check) => check.ready), checks };
  };
  const status = (answer: Figure | null): StatusView => ({
    version,
    ready: readiness(answer).ready,
    startedAt,
    uptime: measured(
      (clock.monotonicMs() - startMs) / 1000,
      "seconds",
      "since this process began to serve, by its monotonic clock",
    ),
    host: {
      name: hostname(),
      platform: `${process.platform} ${process.arch}`,
      node: process.versions.node,
    },
    memory: measured(process.memoryUsage.rss(), "bytes", "resident memory of this process"),
    store: {
      engine: store.facts.engine,
      schemaVersion: store.schemaVersion,
      location: store.shown,
      limits: [...store.facts.limits],
      answer,
    },
    eventStreams: measured(hub.subscriberCount, "count", "event streams open at this process"),
    doctor: doctor.view(),
  });
  return {
    readiness: async () => readiness(await storeAnswer()),
    status: async () => status(await storeAnswer()),
  };
}

/** Asks the store at most once a second; who asks in between is told the same. */
export function askStore(store: Pick<Store, "db">, clock: Clock): StoreAnswer {
  const kept = new Kept<Figure | null>({ clock, forMs: answerKeptMs, sizeMax: 1 });
  return () => kept.get("answer", () => answerOf(store, clock));
}

async function answerOf({ db }: Pick<Store, "db">, clock: Clock): Promise<Figure | null> {
  const startMs = clock.monotonicMs();
  const what = "The store's answer";
  try {
    await withDeadline({ clock, timeoutMs: storeAnswerTimeoutMs, what }, () =>
      db.selectFrom("meta").select("key").limit(1).execute(),
    );
  } catch {
    return null;
  }
  const seconds = (clock.monotonicMs() - startMs) / 1000;
  return measured(
    seconds,
    "seconds",
    "one small query from this process to the store, about a second ago at most",
  );
}

function readinessChecks(state: {
  readonly storeAnswers: boolean;
  readonly doctorHasRun: boolean;
  readonly stopping: boolean;
}): ReadinessView["checks"] {
  return [
    {
      name: "store",
      ready: state.storeAnswers,
      reason: state.storeAnswers ? "The store answers." : "The store does not answer.",
    },
    {
      name: "doctor",
      ready: state.doctorHasRun,
      reason: state.doctorHasRun ? "The doctor has run." : "The first doctor run is not over.",
    },
    {
      name: "running",
      ready: !state.stopping,
      reason: state.stopping ? "This process is being stopped." : "This process is serving.",
    },
  ];
}
