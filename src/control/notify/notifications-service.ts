import { hostname } from "node:os";
import type { Config } from "../../platform/config/index.ts";
import type { NotificationTarget } from "../../platform/config/sections/notifications.ts";
import { TesseraError } from "../../platform/errors/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import { createRng, randomSeed } from "../../platform/rng/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import {
  type NotificationsPort,
  type NotificationTargetView,
  notificationEvents,
} from "../api/notifications.ts";
import { notificationRoutes } from "../api/routes/notifications.ts";
import type { Service, ServiceContext } from "../service.ts";
import { findAddress } from "./address.ts";
import { breakersOf } from "./breakers.ts";
import { deliver } from "./deliver.ts";
import { testMessage } from "./message.ts";
import { severityOf } from "./news.ts";
import { Notifier } from "./notifier.ts";
import { outboxFigures } from "./outbox-figures.ts";
import type { NewsSources } from "./sources.ts";

type Settings = Config["notifications"];

const off: Settings = { targets: [], simulated: false, groupOver: 5, giveUpAfterMs: 86_400_000 };

/** Tells people of new failures, where the configuration names somebody to tell. */
export function createNotificationsService(
  context: ServiceContext,
  sources: NewsSources = {},
): Service {
  const { store, clock, hub, metrics, config } = context;
  const settings = config.notifications ?? off;
  const stop = new AbortController();
  const notifier = new Notifier({
    ...context,
    settings,
    sources: { breakers: () => breakersOf(context.validation), ...sources },
    // Two lives of one process must not be taken for each other.
    holder: `${hostname()}/${process.pid}/${randomSeed()}`,
    rng: createRng(randomSeed()).stream("notifications"),
    onChange: (name) => hub.publish("notification.changed", { name }),
  });
  collectNotificationMetrics(metrics, { store, clock, targets: settings.targets });
  return {
    routes: notificationRoutes(createPort(settings, { ...context, signal: stop.signal })),
    start: () => notifier.start(),
    stop: async () => {
      stop.abort();
      await notifier.stop();
    },
  };
}

function createPort(
  settings: Settings,
  context: Pick<ServiceContext, "store" | "clock" | "env"> & { readonly signal: AbortSignal },
): NotificationsPort {
  const { store } = context;
  return {
    targets: () => Promise.all(settings.targets.map((target) => viewOf(target, context))),
    test: async (name) => {
      const target = settings.targets.find((one) => one.name === name);
      if (target === undefined) {
        const list = "/api/v1/notifications";
        throw new TesseraError("E_NOT_FOUND", { kind: "notification target", id: name, list });
      }
      const message = testMessage(`test-${randomSeed()}`, store.instance.id);
      const result = await deliver(target, message, context);
      if (!result.ok) {
        throw new TesseraError("E_NOTIFY_FAILED", { target: name, problem: result.problem });
      }
    },
  };
}

async function viewOf(
  target: NotificationTarget,
  { store, env }: Pick<ServiceContext, "store" | "env">,
): Promise<NotificationTargetView> {
  const { name, kind, events = notificationEvents, minSeverity = "note" } = target;
  const address = await findAddress(target, env);
  const figures = await outboxFigures(store, name);
  const { waiting, delivered, failed, lastDeliveredAtMs } = figures;
  const severities = ["note", "warning", "critical"];
  const least = severities.indexOf(minSeverity);
  return {
    name,
    kind,
    host: "url" in address ? address.url.host : "not known",
    events: events.filter((event) => severities.indexOf(severityOf(event)) >= least),
    waiting,
    delivered,
    failed,
    lastError: "problem" in address ? address.problem : (figures.lastError ?? null),
    lastDeliveredAt:
      lastDeliveredAtMs === undefined ? null : new Date(lastDeliveredAtMs).toISOString(),
  };
}

function collectNotificationMetrics(
  metrics: Metrics,
  options: {
    readonly store: Store;
    readonly clock: Clock;
    readonly targets: readonly NotificationTarget[];
  },
): void {
  const { store, clock, targets } = options;
  for (const { name: target } of targets) {
    // A counter that first shows up at 1 has not increased, as Prometheus sees it.
    for (const outcome of ["delivered", "retried", "given-up"]) {
      metrics.count("tessera_notifications_total", { target, outcome }, 0);
    }
  }
  metrics.onScrape(async () => {
    const read = targets.map(({ name }) => outboxFigures(store, name).catch(() => undefined));
    const told = await Promise.all(read);
    metrics.clear("tessera_notifications_waiting");
    metrics.clear("tessera_notifications_oldest_waiting_seconds");
    for (const [index, { name: target }] of targets.entries()) {
      const figures = told[index];
      if (figures === undefined) continue;
      const { waiting, oldestSinceMs } = figures;
      const waitedMs = oldestSinceMs === undefined ? 0 : clock.nowMs() - oldestSinceMs;
      metrics.set("tessera_notifications_waiting", { target }, waiting);
      const seconds = Math.max(0, waitedMs) / 1000;
      metrics.set("tessera_notifications_oldest_waiting_seconds", { target }, seconds);
    }
  });
}
