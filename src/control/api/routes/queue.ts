import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { type QueuePort, queueQuery, queueSchema } from "../queue.ts";

export function queueRoutes(port: QueuePort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/queue",
      summary: "What is tested now, what comes next and what has to wait, each with its reason.",
      access: "read",
      query: queueQuery,
      errors: ["E_CLUSTER_UNKNOWN"],
      responses: { description: "The queue of one cluster.", schema: queueSchema },
      handle: async ({ query }) => ({ json: await port.queue(query) }),
    }),
  ];
}
