import { isLoopback, type RunningServer, startServer } from "../../platform/http/index.ts";
import type { KubeClient } from "../../platform/kube/index.ts";
import type { Logger } from "../../platform/log/index.ts";
import { createMetrics } from "../../platform/metrics/index.ts";
import type { Rng } from "../../platform/rng/index.ts";
import type { Store } from "../../platform/store/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import { createFaultBook, newFaultName } from "../faults/index.ts";
import { type GuardLimits, guardLimitsDefaults } from "../guard/index.ts";
import { createFaultJudge } from "../plan/index.ts";
import { createReaper } from "../reaper/index.ts";
import { snapshotNode } from "../undo/index.ts";
import { createFaultApi } from "./create-fault-api.ts";
import type { FaultApiPorts, JudgePort } from "./ports.ts";
import { createInjector } from "./service/index.ts";
import { followFaults } from "./watch/index.ts";

export interface StartFaultApiOptions {
  readonly client: KubeClient;
  readonly clock: Clock;
  /** For names, ids and waits. */
  readonly rng: Rng;
  readonly log: Logger;
  /** For the audit log. */
  readonly store: Store;
  /** Of the installation. */
  readonly namespace: string;
  /** How far faults may go. @default the careful guard */
  readonly limits?: GuardLimits;
  /** Where NVSentinel is, if it is. @default "nvsentinel" */
  readonly nvSentinelNamespace?: string;
  /** Says whether a fault may be, and what it will do. @default by what the cluster shows */
  readonly judge?: JudgePort;
  /** @default "127.0.0.1" */
  readonly host?: string;
  /** 0 takes a free one. @default 8080 */
  readonly port?: number;
  /** Tokens must be for one of these. @default the API server's own */
  readonly audiences?: readonly string[];
}

export interface RunningFaultApi {
  readonly url: string;
  readonly port: number;
  /**
   * Takes no more requests, lets those in progress finish, and stops taking faults back. Faults stay
   * in force: they have leases, and agents look after these too. Stopping twice is stopping once.
   */
  stop(): Promise<void>;
}

const by = "fault-api";
const stopDeadlineMs = 10_000;

/**
 * Serves the fault API until it is stopped, and is one of the reapers as long as it runs.
 *
 * @throws TesseraError E_PORT_IN_USE, E_LISTEN_FAILED
 */
export async function startFaultApi(options: StartFaultApiOptions): Promise<RunningFaultApi> {
  const { clock, log, store, host = "127.0.0.1", port = 8080, audiences } = options;
  const { ports, reaper } = portsOf(options);
  const injector = createInjector(ports);
  const stopping = new AbortController();
  const { signal } = stopping;
  // The server first: where nobody can be served, nothing is begun.
  let problem: () => string | undefined = () => "it is starting";
  const app = createFaultApi({
    ports,
    injector,
    store,
    metrics: createMetrics(),
    host,
    problem: () => problem(),
    isStopping: () => signal.aborted,
    ...(audiences === undefined ? {} : { audiences }),
  });
  if (!isLoopback(host)) log.warn({ host }, "tokens reach this address without encryption");
  const server: RunningServer = await startServer({ app, host, port, clock, log });
  const following = followFaults(ports, injector, signal);
  problem = following.problem;
  const reaping = reaper.run(signal).catch((err: unknown) => {
    log.error({ err }, "the reaper has failed; agents still take faults back");
  });
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    stopping.abort(new Error("the fault API is stopping"));
    await server.stop({ deadlineMs: stopDeadlineMs });
    await Promise.all([following.stopped, reaping]);
  };
  return { url: server.url, port: server.port, stop: () => (stopped ??= stop()) };
}

function portsOf(options: StartFaultApiOptions) {
  const { client, clock, log, namespace, rng, limits = guardLimitsDefaults } = options;
  const onDamaged = (err: Error) => log.warn({ err }, "a fault in the cluster cannot be read");
  const book = createFaultBook({ client, namespace, clock, by, onDamaged });
  const reaper = createReaper({ book, client, clock, by, owns: () => true, collects: true, log });
  const names = rng.stream("fault names");
  const ports: FaultApiPorts = {
    client,
    clock,
    log,
    namespace,
    allowNamespaces: limits.namespaces,
    book,
    reaper,
    judge: options.judge ?? createFaultJudge({ ...options, limits }),
    random: rng.stream("fault api"),
    snapshotNode: async (node) => snapshotNode(client, node, await book.list({ node, live: true })),
    newFaultName: (kind) => newFaultName(kind, names),
  };
  return { ports, reaper };
}
