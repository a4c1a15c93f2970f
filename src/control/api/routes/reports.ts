import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { reportPolicy } from "../report-policy.ts";
import { type ReportsPort, reportQuery, reportSchema } from "../reports.ts";

export function reportsRoutes(port: ReportsPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/reports",
      summary:
        "What was tested, found and is owed in a stretch of time, as `tessera report` writes it.",
      access: "read",
      query: reportQuery,
      errors: ["E_CLUSTER_UNKNOWN", "E_BUSY"],
      responses: { description: "The report, in the format asked for.", schema: reportSchema },
      handle: async ({ query, signal }) => {
        const answer = await port.report(query, signal);
        if ("json" in answer) return { json: answer.json, isShared: true };
        const { contentType, body } = answer;
        const policy = query.format === "html" ? { "content-security-policy": reportPolicy } : {};
        return new Response(body, { headers: { "content-type": contentType, ...policy } });
      },
    }),
  ];
}
