import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { type OverviewPort, overviewSchema } from "../overview.ts";

export function overviewRoutes(port: OverviewPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/overview",
      summary: "How everything stands, and what needs a person.",
      access: "read",
      responses: { description: "The clusters, each apart.", schema: overviewSchema },
      handle: async () => ({ json: await port.overview(), isShared: true }),
    }),
  ];
}
