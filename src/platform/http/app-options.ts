import type { Logger } from "../log/index.ts";
import type { Metrics } from "../metrics/index.ts";
import type { Clock } from "../time/clock.ts";
import type { AuditSink } from "./audit.ts";
import type { Authenticator } from "./auth/caller.ts";
import type { RateLimits } from "./rate-limit/rate-limiter.ts";
import type { Route } from "./route.ts";

/** What an app is made of. */
export interface AppOptions {
  readonly routes: readonly Route[];
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly authenticator: Authenticator;
  readonly audit: AuditSink;
  /** Reads need no token. Only right when nobody but this machine can connect. */
  readonly openReads: boolean;
  /**
   * The names this server answers to. `any` is for addresses that other machines can reach: there
   * every call needs a token, which a page that plays with DNS does not have.
   */
  readonly hosts: readonly string[] | "any";
  readonly bodyLimitBytes: number;
  /** How long a handler may take; its caller then gets E_TIMEOUT. Streams are exempt. */
  readonly requestTimeoutMs: number;
  /** Longer secrets are refused unread. Tokens of a cluster are longer than our own. @default 512 */
  readonly secretCharsMax?: number;
  /** Ranges of addresses whose `X-Forwarded-For` is believed. @default none */
  readonly trustedProxies?: readonly string[];
  /** How much one caller may do. Open reads are exempt. @default no limits */
  readonly rateLimits?: RateLimits;
  /**
   * Each refused call to a named action is put into the audit log, those without an accepted token too.
   * @default false: of known callers one a minute and kind, of strangers what tells of an attack
   */
  readonly auditsEveryRefusal?: boolean;
  /** What a browser that is led to an address where nothing is shows. @default the problem as JSON */
  readonly unknownPage?: (request: Request) => Response;
  /** True once the server is being stopped: answers then close their connection. */
  readonly isStopping?: () => boolean;
  /** True once changes are refused, so that none is begun that the end would cut short. @default never */
  readonly refusesChanges?: () => boolean;
}
