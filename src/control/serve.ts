import {
  createApp,
  isLoopback,
  loopbackNames,
  type RateLimits,
  type Route,
  type RunningServer,
  type StatusPort,
  startServer,
  systemRoutes,
} from "../platform/http/index.ts";
import type { KubeClient } from "../platform/kube/index.ts";
import type { Clock, Timer } from "../platform/time/clock.ts";
import type { AdminToken } from "./admin-token.ts";
import { sessionRoutes } from "./api/routes/session.ts";
import { createCallerRules } from "./auth/create-authenticator.ts";
import { createSessionPort } from "./auth/session-port.ts";
import type { ControlPlaneOptions, ControlPlaneParts } from "./options.ts";
import type { Service } from "./service.ts";
import { createAuditPort, createAuditSink, createTokenPort } from "./store-ports.ts";
import { createWeb } from "./web/web-routes.ts";

export interface ServeOptions extends Omit<ControlPlaneOptions, "validation">, ControlPlaneParts {
  readonly services: readonly Service[];
  readonly status: StatusPort;
  readonly admin: AdminToken;
  /** Who vouches for tokens of Kubernetes; undefined where they are not accepted. */
  readonly clusterTokens:
    | { readonly client: KubeClient; readonly audiences: readonly string[] }
    | undefined;
  readonly isStopping: () => boolean;
}

type RateLimitConfig = ServeOptions["config"]["server"]["rateLimit"];

const statusEveryMs = 10_000;

/** Puts everything behind one HTTP server. Stopping it also ends the event streams. */
export async function serveControlPlane(
  options: ServeOptions,
): Promise<RunningServer & { readonly routes: readonly Route[] }> {
  const { config, clock, log, store, hub, metrics, doctor, status, admin } = options;
  const { host, port, bodyLimitBytes, requestTimeoutMs } = config.server;
  const local = isLoopback(host);
  const { clusterTokens } = options;
  const web = await createWeb(options.webDir);
  const app = createApp({
    routes: [
      ...systemRoutes({
        status,
        doctor,
        tokens: createTokenPort(store, clock),
        audit: createAuditPort(store),
        hub,
        metrics,
      }),
      ...sessionRoutes(
        createSessionPort({
          admin,
          isLocal: local,
          acceptsClusterTokens: clusterTokens !== undefined,
        }),
      ),
      ...web.routes,
      ...(options.validation?.routes ?? []),
      ...options.services.flatMap(({ routes }) => routes),
      ...(options.routes?.(options) ?? []),
    ],
    clock,
    log,
    metrics,
    ...createCallerRules({ store, clock, admin, clusterTokens }),
    audit: createAuditSink(store, clock),
    openReads: local,
    hosts: local ? loopbackNames(host) : "any",
    bodyLimitBytes,
    requestTimeoutMs,
    trustedProxies: config.server.trustedProxies,
    rateLimits: rateLimitsOf(config.server.rateLimit),
    unknownPage: web.unknownPage,
    isStopping: options.isStopping,
    refusesChanges: options.isStopping,
  });
  const server = await startServer({ app, host, port, clock, log, limits: options.limits ?? {} });
  const stopStatus = publishStatus(options);
  return {
    ...server,
    routes: app.routes,
    stop: (stopOptions) => {
      stopStatus();
      hub.close();
      return server.stop(stopOptions);
    },
  };
}

/** A whole allowance may be saved up, and at least one call is always let through. */
function rateLimitsOf({ reads, changes, failedTokens, burstMs }: RateLimitConfig): RateLimits {
  const rate = (perSecond: number) => ({
    perSecond,
    burst: Math.max(1, (perSecond * burstMs) / 1000),
  });
  return { reads: rate(reads), changes: rate(changes), "failed-tokens": rate(failedTokens) };
}

/** Sends a small status now and then, as long as somebody listens. */
function publishStatus({ clock, hub, doctor, status }: ServeOptions): () => void {
  let timer: Timer = every(clock);
  function every(on: Clock): Timer {
    return on.setTimer(statusEveryMs, () => {
      if (hub.subscriberCount > 0) void publish();
      timer = every(on);
    });
  }
  async function publish(): Promise<void> {
    const { ready, checks } = await status.readiness();
    const { running, lastRun } = doctor.view();
    hub.publish("status", { ready, checks, doctor: { running, counts: lastRun?.counts ?? null } });
  }
  return () => timer.cancel();
}
