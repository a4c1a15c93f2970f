import { EventHub, type Route } from "../platform/http/index.ts";
import { collectProcessMetrics, createMetrics, type Metrics } from "../platform/metrics/index.ts";
import { auditLog, openStore, type Store } from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import { version } from "../version.ts";
import { type AdminToken, ensureAdminToken } from "./admin-token.ts";
import { openClusterTokens } from "./auth/open-cluster-tokens.ts";
import { lockDataDir } from "./data-dir-lock.ts";
import { DoctorService } from "./doctor-service.ts";
import type { ControlPlaneOptions, ControlPlaneParts } from "./options.ts";
import { Releases } from "./releases.ts";
import { serveControlPlane } from "./serve.ts";
import { createServices } from "./services.ts";
import { askStore, createStatusPort, type StoreAnswer } from "./status-port.ts";
import { ValidationService } from "./validation/validation-service.ts";

export interface ControlPlane extends ControlPlaneParts {
  readonly url: string;
  readonly port: number;
  /** Every route that is served. */
  readonly routes: readonly Route[];
  readonly adminToken: AdminToken;
  /**
   * Takes no more requests, lets those in progress finish for up to `deadlineMs`, ends event streams,
   * closes the store and frees the data folder. Stopping twice is stopping once. @default 10 000
   */
  stop(options?: { readonly deadlineMs?: number }): Promise<void>;
}

const stopDeadlineMs = 10_000;

/**
 * Starts the control plane in this process and returns when it listens; the doctor's first run is
 * the caller's to start. If a step fails, what the steps before it opened is closed again.
 *
 * @throws E_DATA_DIR_IN_USE, E_PORT_IN_USE, E_LISTEN_FAILED, E_TOKEN_NOT_CONFIGURED,
 *   E_TOKEN_SOURCE, and whatever `openStore` throws.
 */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const releases = new Releases(options.log);
  try {
    return await start(options, releases);
  } catch (error) {
    await releases.releaseAll();
    throw error;
  }
}

async function start(options: ControlPlaneOptions, releases: Releases): Promise<ControlPlane> {
  const { config, clock, log, env, onStep = () => {} } = options;
  const lock = await lockDataDir(config.dataDir, clock);
  releases.add("data folder", () => lock.release());
  const store = await openStore({ url: config.store.url, clock, log });
  releases.add("store", () => store.close());
  onStep({ step: "store", engine: store.facts.engine, schemaVersion: store.schemaVersion });
  const { host, tokenFile } = config.server;
  const admin = await ensureAdminToken({
    dataDir: config.dataDir,
    host,
    tokenFile,
    env,
    store,
    clock,
  });
  onStep({ step: "token", token: admin });

  const { metrics, hub } = openChannels(clock, releases);
  const doctor = new DoctorService({ ...options, store, hub, metrics });
  let stopping = false;
  const isStopping = () => stopping;
  const storeAnswer = askStore(store, clock);
  const status = createStatusPort({ store, storeAnswer, doctor, hub, clock, isStopping });
  collectStoreMetrics({ metrics, store, storeAnswer, hub });
  const validation =
    options.validation === undefined
      ? undefined
      : await ValidationService.create({
          ...options,
          config: options.validation,
          store,
          hub,
          metrics,
        });
  const parts = { store, hub, metrics, doctor, validation };
  const clusterTokens = await openClusterTokens(options, releases);
  const services = createServices({ ...options, ...parts, clusterTokens });
  const serving = { ...options, ...parts, services, status, admin, clusterTokens, isStopping };
  const server = await serveControlPlane(serving);
  releases.add("server", async () => void (await server.stop({ deadlineMs: 0 })));
  releases.add("validation", async () => validation?.stop());
  for (const service of services) releases.add("service", async () => service.stop?.());
  await recordLife(store, { clock, action: "start", subject: server.url });
  onStep({ step: "listening", url: server.url });
  validation?.start(server.url);
  for (const service of services) service.start?.(server.url);

  let stopped: Promise<void> | undefined;
  const stop = async (deadlineMs: number) => {
    stopping = true;
    doctor.stop();
    // While jobs of this machine may still hand in what they have.
    await Promise.all([validation, ...services].map(async (service) => service?.stop?.()));
    await server.stop({ deadlineMs });
    await recordLife(store, { clock, action: "stop", subject: server.url }).catch((err: unknown) =>
      log.error({ err }, "the stop could not be recorded"),
    );
    await releases.releaseAll();
  };
  return {
    ...parts,
    url: server.url,
    port: server.port,
    routes: server.routes,
    adminToken: admin,
    stop: ({ deadlineMs = stopDeadlineMs } = {}) => (stopped ??= stop(deadlineMs)),
  };
}

/** What is told to whoever watches: figures and events. */
function openChannels(
  clock: Clock,
  releases: Releases,
): { readonly metrics: Metrics; readonly hub: EventHub } {
  const metrics = createMetrics();
  const processMetrics = collectProcessMetrics(metrics, clock);
  releases.add("metrics", async () => processMetrics[Symbol.dispose]());
  const hub = new EventHub({
    clock,
    onPublish: (type) => metrics.count("tessera_http_events_published_total", { type }),
    onDrop: () => metrics.count("tessera_http_event_streams_dropped_total", {}),
  });
  return { metrics, hub };
}

function recordLife(
  store: Store,
  entry: { readonly clock: Clock; readonly action: string; readonly subject: string },
): Promise<void> {
  const { clock, action, subject } = entry;
  const details = { version, pid: process.pid };
  return auditLog.append(store.db, {
    atMs: clock.nowMs(),
    actor: "tessera",
    action,
    subject,
    details,
  });
}

function collectStoreMetrics(options: {
  readonly metrics: Metrics;
  readonly store: Store;
  readonly storeAnswer: StoreAnswer;
  readonly hub: EventHub;
}): void {
  const { metrics, store, storeAnswer, hub } = options;
  metrics.set("tessera_build_info", { version, node: process.versions.node }, 1);
  const labels = { engine: store.facts.engine, schema_version: store.schemaVersion };
  metrics.set("tessera_store_info", labels, 1);
  metrics.onScrape(async () => {
    const answer = await storeAnswer();
    metrics.set("tessera_store_up", {}, answer === null ? 0 : 1);
    if (answer === null) metrics.clear("tessera_store_answer_seconds");
    else metrics.set("tessera_store_answer_seconds", {}, answer.value);
  });
  metrics.onScrape(() => metrics.set("tessera_http_event_streams", {}, hub.subscriberCount));
}
