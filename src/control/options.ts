import type { Config } from "../platform/config/index.ts";
import type { Probe } from "../platform/doctor/index.ts";
import type { EventHub, Route, ServerLimits } from "../platform/http/index.ts";
import type { KubeClient } from "../platform/kube/index.ts";
import type { Logger } from "../platform/log/index.ts";
import type { Metrics } from "../platform/metrics/index.ts";
import type { Store } from "../platform/store/index.ts";
import type { Clock } from "../platform/time/clock.ts";
import type { AdminToken } from "./admin-token.ts";
import type { DoctorService } from "./doctor-service.ts";
import type { ServiceConfig } from "./service.ts";
import type {
  ValidationService,
  ValidationServiceOptions,
} from "./validation/validation-service.ts";

/** What a control plane is started with. */
export interface ControlPlaneOptions {
  readonly config: ServiceConfig & Partial<Pick<Config, "kubernetes">>;
  /** What to validate. @default nothing, and the page says nothing about it */
  readonly validation?: ValidationServiceOptions["config"];
  /** Read for `TESSERA_TOKEN`, and seen by the probes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How this program is started again, for jobs and workers of this machine. */
  readonly command: readonly [program: string, ...args: string[]];
  /** What the doctor looks at. */
  readonly probes: readonly Probe[];
  readonly clock: Clock;
  readonly log: Logger;
  /** Routes of other rooms, made from what the control plane has opened. @default none */
  readonly routes?: (parts: ControlPlaneParts) => readonly Route[];
  readonly limits?: Partial<ServerLimits>;
  /** The folder of the built dashboard. @default none, and a page that says so */
  readonly webDir?: string;
  /** The folder of experiment files to start from. @default none */
  readonly presetsDir?: string;
  /** Where tokens of Kubernetes are reviewed. @default the cluster of `config.kubernetes` */
  readonly kube?: KubeClient;
  /** Hears of each step of the start, in the order they are done. */
  readonly onStep?: (step: StartStep) => void;
}

/** What other rooms may build on. */
export interface ControlPlaneParts {
  readonly store: Store;
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly doctor: DoctorService;
  /** Undefined where this process validates nothing by design. */
  readonly validation: ValidationService | undefined;
}

export type StartStep =
  | { readonly step: "store"; readonly engine: string; readonly schemaVersion: number }
  | { readonly step: "token"; readonly token: AdminToken }
  | { readonly step: "listening"; readonly url: string };
