import type { Config } from "../platform/config/index.ts";
import type { EventHub, Route } from "../platform/http/index.ts";
import type { KubeClient } from "../platform/kube/index.ts";
import type { Logger } from "../platform/log/index.ts";
import type { Metrics } from "../platform/metrics/index.ts";
import type { Store } from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { DoctorService } from "./doctor-service.ts";
import type { ValidationService } from "./validation/validation-service.ts";

/** A part of the control plane: what it answers, and what it does meanwhile. */
export interface Service {
  readonly routes: readonly Route[];
  /** Begins its work; `url` is where this server is reached. */
  start?(url: string): void;
  /** Ends its work in good order. Stopping twice is stopping once. */
  stop?(): Promise<void>;
}

/** What services are made from. */
export interface ServiceContext {
  readonly config: ServiceConfig;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How this program is started again, for workers of this machine. */
  readonly command: readonly [program: string, ...args: string[]];
  /** The folder of the experiment files that come with this program. */
  readonly presetsDir?: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly store: Store;
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly doctor: DoctorService;
  /** Undefined where this process validates nothing by design. */
  readonly validation: ValidationService | undefined;
  /** Whom tokens of Kubernetes are shown to; undefined where they are not accepted. */
  readonly clusterTokens?: { readonly client: KubeClient } | undefined;
}

/** The settings of services; one that has none of its own is not there. */
export type ServiceConfig = Pick<Config, "dataDir" | "server" | "store"> &
  Partial<Pick<Config, "notifications" | "experiments" | "hardware" | "kubernetes" | "slurm">>;
