import type { Clock } from "../../../platform/time/index.ts";
import type { Ledger } from "../../ledger/index.ts";
import type { ChaosPlan } from "../../plan/index.ts";
import type { JobEvent } from "../../record/index.ts";
import type { OnInjection } from "../../world.ts";
import type { HostDisk } from "../disk/index.ts";
import type { HostNetwork } from "./network.ts";

export interface HostRunOptions {
  readonly run: string;
  readonly plan: ChaosPlan;
  readonly command: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly ledger: Ledger;
  readonly network: HostNetwork;
  readonly secret: string;
  readonly disk: HostDisk;
  readonly signal: AbortSignal;
  readonly onEvent: (event: JobEvent) => void;
  readonly onInjection: OnInjection;
}
