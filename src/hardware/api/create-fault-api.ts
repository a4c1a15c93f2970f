import { type App, createApp, isLoopback, loopbackNames } from "../../platform/http/index.ts";
import { kubeTokenCharsMax } from "../../platform/kube/index.ts";
import type { Metrics } from "../../platform/metrics/index.ts";
import type { Store } from "../../platform/store/index.ts";
import { createAccessCheck, createTokenReviewAuthenticator } from "./access/index.ts";
import { createAuditNotes, createAuditTrail } from "./audit/index.ts";
import type { FaultApiPorts } from "./ports.ts";
import { faultApiRoutes } from "./routes/index.ts";
import type { Injector } from "./service/index.ts";

/** What the fault API is made of. */
export interface FaultApiOptions {
  readonly ports: FaultApiPorts;
  readonly injector: Injector;
  /** For the audit log. */
  readonly store: Store;
  readonly metrics: Metrics;
  /** What keeps the API from knowing the faults, in words; undefined when nothing does. */
  readonly problem: () => string | undefined;
  /** The address it listens on. */
  readonly host: string;
  /** Tokens must be for one of these. @default the API server's own */
  readonly audiences?: readonly string[];
  readonly isStopping?: () => boolean;
}

const bodyBytesMax = 256 * 1024;
/** Longer than the longest wait of a route. */
const requestTimeoutMs = 60_000;

/** The fault API behind its guards: a token the API server accepts, and a right for each verb. */
export function createFaultApi(options: FaultApiOptions): App {
  const { ports, injector, store, metrics, host, audiences, problem, isStopping } = options;
  const { client, clock, log } = ports;
  const notes = createAuditNotes();
  const access = createAccessCheck(client);
  return createApp({
    routes: faultApiRoutes({ ports, injector, access, notes, store, metrics, health: { problem } }),
    clock,
    log,
    metrics,
    authenticator: createTokenReviewAuthenticator({
      client,
      clock,
      ...(audiences === undefined ? {} : { audiences }),
    }),
    audit: createAuditTrail({ store, clock, log, notes }),
    openReads: false,
    hosts: isLoopback(host) ? loopbackNames(host) : "any",
    bodyLimitBytes: bodyBytesMax,
    requestTimeoutMs,
    secretCharsMax: kubeTokenCharsMax,
    auditsEveryRefusal: true,
    ...(isStopping === undefined ? {} : { isStopping }),
  });
}
