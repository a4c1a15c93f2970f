import { isLoopback } from "../../platform/http/index.ts";
import type { ExperimentListView, StartExperiment } from "../api/experiments.ts";
import type { ServiceConfig } from "../service.ts";

export type ExperimentWorld = NonNullable<StartExperiment["world"]>;

export interface ExperimentSettings {
  readonly worlds: readonly ExperimentWorld[];
  readonly concurrent: number;
  readonly waiting: number;
  readonly timeLimitMs: number;
  readonly keep: number;
  /** Of the process of one experiment. */
  readonly memoryLimitBytes: number;
  readonly outside: boolean;
  /** How long a plan waits for its turn, and how long it may then take: together less than its request. */
  readonly planning: { readonly waitMs: number; readonly workMs: number };
}

const hourMs = 3_600_000;
const planWaitMs = 20_000;
const planWorkMs = 30_000;

/** What holds where the configuration says nothing. */
export function experimentSettings({ experiments, server }: ServiceConfig): ExperimentSettings {
  return {
    concurrent: experiments?.concurrent ?? 1,
    waiting: experiments?.waiting ?? 20,
    timeLimitMs: experiments?.timeLimitMs ?? hourMs,
    keep: experiments?.keep ?? 500,
    memoryLimitBytes: experiments?.memoryLimitBytes ?? 512 * 2 ** 20,
    outside: experiments?.outside ?? false,
    planning: {
      waitMs: Math.min(planWaitMs, server.requestTimeoutMs / 3),
      workMs: Math.min(planWorkMs, server.requestTimeoutMs / 2),
    },
    worlds: experiments?.worlds ?? (isLoopback(server.host) ? ["sim", "host"] : ["sim"]),
  };
}

const touches: Readonly<Record<ExperimentWorld, string>> = {
  sim: "Simulated: nothing real is touched.",
  host: "Breaks processes of its own on the server's machine.",
  kubernetes: "Breaks pods of the cluster.",
  slurm: "Breaks jobs and nodes of the Slurm cluster.",
};

/** Where experiments may run, and why not elsewhere. */
export function worldsView({ worlds }: ExperimentSettings): ExperimentListView["worlds"] {
  return (Object.keys(touches) as ExperimentWorld[]).map((world) => {
    const allowed = worlds.includes(world);
    const reason = allowed ? touches[world] : notAllowed(world);
    return { world, allowed, reason };
  });
}

/** Why a world is closed, in a sentence. */
export function notAllowed(world: ExperimentWorld): string {
  return `\`experiments.worlds\` of the server's configuration does not name ${world}.`;
}
