import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { type ReportsPort, reportQuery } from "../reports.ts";

export function reportsRoutes(port: ReportsPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/reports",
      summary:
        "What was tested, found and is owed in a stretch of time, as `tessera report` writes it.",
      access: "read",
      query: reportQuery,
      errors: ["E_CLUSTER_UNKNOWN"],
      responses: {
        description: "The report, in the format asked for.",
        contentType: "application/json",
      },
      handle: async ({ query }) => {
        const { contentType, body } = await port.report(query);
        return new Response(body, { headers: { "content-type": contentType } });
      },
    }),
  ];
}
