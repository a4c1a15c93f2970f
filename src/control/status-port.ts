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

export interface StatusPortOptions {
  readonly store: Store;
  readonly doctor: Pick<DoctorPort, "view">;
  readonly hub: EventHub;
  readonly clock: Clock;
  readonly isStopping: () => boolean;
}

const storeAnswerTimeoutMs = 2000;

/** What the control plane says about itself. */
export function createStatusPort(options: StatusPortOptions): StatusPort {
  const { store, doctor, hub, clock } = options;
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
    readiness: async () => readiness(await storeAnswer(store, clock)),
    status: async () => status(await storeAnswer(store, clock)),
  };
}

/** How long the smallest query takes; null when the store does not answer in time or at all. */
export async function storeAnswer(store: Store, clock: Clock): Promise<Figure | null> {
  const startMs = clock.monotonicMs();
  const what = "The store's answer";
  try {
    await withDeadline({ clock, timeoutMs: storeAnswerTimeoutMs, what }, () =>
      store.db.selectFrom("meta").select("key").limit(1).execute(),
    );
  } catch {
    return null;
  }
  const seconds = (clock.monotonicMs() - startMs) / 1000;
  return measured(seconds, "seconds", "one small query from this process to the store, just now");
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
