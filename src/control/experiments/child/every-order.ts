import type { ServiceConfig } from "../../service.ts";
import type { ChildOrder } from "./orders.ts";

/** What a child is told with every order, because no variable can say it. */
export type EveryOrder = Pick<ChildOrder, "faultApiUrl" | "slurmd">;

export function everyOrder({
  hardware,
  slurm,
}: Pick<ServiceConfig, "hardware" | "slurm">): EveryOrder {
  const faultApiUrl = hardware?.faultApiUrl;
  const { stopSlurmd: stop, startSlurmd: start } = slurm ?? {};
  return {
    ...(faultApiUrl === undefined ? {} : { faultApiUrl }),
    ...(stop === undefined || start === undefined ? {} : { slurmd: { stop, start } }),
  };
}
