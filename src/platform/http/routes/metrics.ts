import type { Metrics } from "../../metrics/index.ts";
import { defineRoute, type Route } from "../route.ts";

export function metricsRoutes(metrics: Metrics): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/metrics",
      summary: "Metrics for Prometheus; see docs/metrics.md.",
      access: "read",
      responses: { description: "The metrics.", contentType: "text/plain" },
      handle: async () =>
        new Response(await metrics.text(), { headers: { "content-type": metrics.contentType } }),
    }),
  ];
}
