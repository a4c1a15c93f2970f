import type { Route } from "../../../platform/http/index.ts";
import { faultRoutes } from "./fault-routes.ts";
import { gpuRoutes } from "./gpu-routes.ts";
import { networkRoutes } from "./network-routes.ts";
import { type ObservingParts, observingRoutes } from "./observing-routes.ts";
import { runRoutes } from "./run-routes.ts";

/** Every route of the fault API. */
export function faultApiRoutes(parts: ObservingParts): readonly Route[] {
  return [
    ...observingRoutes(parts),
    ...faultRoutes(parts),
    ...gpuRoutes(parts),
    ...networkRoutes(parts),
    ...runRoutes(parts),
  ];
}
