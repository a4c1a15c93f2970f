import {
  createApp,
  isLoopback,
  loopbackNames,
  type PagePort,
  type Route,
  type RunningServer,
  type StatusPort,
  startServer,
  systemRoutes,
} from "../../platform/http/index.ts";
import type { Clock, Timer } from "../../platform/time/clock.ts";
import type { AdminToken } from "./admin-token.ts";
import { type History, loadHistory } from "./findings-history.ts";
import type { ControlPlaneOptions, ControlPlaneParts } from "./options.ts";
import { pageInline, renderPage } from "./page/render-page.ts";
import {
  createAuditPort,
  createAuditSink,
  createAuthenticator,
  createTokenPort,
} from "./store-ports.ts";

export interface ServeOptions extends Omit<ControlPlaneOptions, "validation">, ControlPlaneParts {
  readonly status: StatusPort;
  readonly admin: AdminToken;
  readonly isStopping: () => boolean;
}

const statusEveryMs = 10_000;

/** Puts everything behind one HTTP server. Stopping it also ends the event streams. */
export async function serveControlPlane(
  options: ServeOptions,
): Promise<RunningServer & { readonly routes: readonly Route[] }> {
  const { config, clock, log, store, hub, metrics, doctor, status, admin } = options;
  const { host, port, bodyLimitBytes, requestTimeoutMs } = config.server;
  const local = isLoopback(host);
  // The page needs the address, which is known only once the server listens.
  let url = "";
  const page = createPagePort(options, () => url);
  const app = createApp({
    routes: [
      ...systemRoutes({
        status,
        doctor,
        tokens: createTokenPort(store, clock),
        audit: createAuditPort(store),
        page,
        hub,
        metrics,
      }),
      ...(options.validation?.routes ?? []),
      ...(options.routes?.(options) ?? []),
    ],
    clock,
    log,
    metrics,
    authenticator: createAuthenticator(store, { clock, admin }),
    audit: createAuditSink(store, clock),
    openReads: local,
    hosts: local ? loopbackNames(host) : "any",
    bodyLimitBytes,
    requestTimeoutMs,
    isStopping: options.isStopping,
  });
  const server = await startServer({ app, host, port, clock, log, limits: options.limits ?? {} });
  url = server.url;
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

function createPagePort(options: ServeOptions, url: () => string): PagePort {
  const { status, store, admin, clock, validation } = options;
  const tokenInShell = inShell(admin);
  let known: { readonly run: unknown; readonly history: History } | undefined;
  return {
    inline: pageInline,
    render: async () => {
      const view = await status.status();
      const run = view.doctor.lastRun;
      // The history changes with each run, not with each visitor.
      if (known === undefined || known.run !== run) {
        known = { run, history: await loadHistory(store, run?.findings ?? []) };
      }
      const { history } = known;
      const clusters = await validation?.clusters();
      const about = { status: view, history, clusters, url: url(), tokenInShell };
      return renderPage({ ...about, nowMs: clock.nowMs() });
    },
  };
}

/** What a shell puts in the place of the token, so that the page never has it. */
function inShell(admin: AdminToken): string {
  if (admin.kind === "configured" && admin.source === "TESSERA_TOKEN") return "$TESSERA_TOKEN";
  const path = admin.kind === "configured" ? admin.source : admin.path;
  return `$(cat '${path.replaceAll("'", "'\\''")}')`;
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
