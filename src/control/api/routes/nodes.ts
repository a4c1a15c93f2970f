import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { nameParam } from "../common.ts";
import {
  heatMapSchema,
  type NodesPort,
  nodeDetailSchema,
  nodeListQuery,
  nodeListSchema,
} from "../nodes.ts";
import { reasonBody, testBody, wordTakenSchema } from "../words.ts";

const nodeParams = z.strictObject({ cluster: nameParam, node: nameParam });
const nodePath = "/api/v1/clusters/:cluster/nodes/:node";
const unknown = ["E_CLUSTER_UNKNOWN", "E_NODE_UNKNOWN"] as const;

export function nodesRoutes(port: NodesPort): readonly Route[] {
  return [...readingRoutes(port), ...wordRoutes(port)];
}

function readingRoutes(port: NodesPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/nodes",
      summary: "The nodes of all clusters, or of one: how each stands and why.",
      access: "read",
      query: nodeListQuery,
      errors: ["E_CLUSTER_UNKNOWN"],
      responses: { description: "One page of nodes.", schema: nodeListSchema },
      handle: async ({ query }) => ({ json: await port.list(query), isShared: true }),
    }),
    defineRoute({
      method: "GET",
      path: "/api/v1/clusters/:cluster/heatmap",
      summary: "A whole cluster in columns, for a map of it.",
      access: "read",
      params: z.strictObject({ cluster: nameParam }),
      errors: ["E_CLUSTER_UNKNOWN"],
      responses: { description: "The map.", schema: heatMapSchema },
      handle: async ({ params }) => ({
        json: await port.heatMap(params.cluster),
        isShared: true,
      }),
    }),
    defineRoute({
      method: "GET",
      path: nodePath,
      summary: "All that is known about a node: verdicts with their bounds, history, events.",
      access: "read",
      params: nodeParams,
      errors: unknown,
      responses: { description: "The node.", schema: nodeDetailSchema },
      handle: async ({ params }) => ({
        json: await port.node(params.cluster, params.node),
        isShared: true,
      }),
    }),
  ];
}

/** What people say about nodes. */
function wordRoutes(port: NodesPort): readonly Route[] {
  return [
    ...(["hold", "release"] as const).map((action) =>
      defineRoute({
        method: "POST",
        path: `${nodePath}/${action}`,
        summary:
          action === "hold"
            ? "Keeps a node from users until it is released."
            : "Gives a node back to users, whatever its checks have shown.",
        access: "operate",
        action: `node.${action}`,
        auditDetails: ({ body }) => body,
        params: nodeParams,
        body: reasonBody,
        errors: unknown,
        responses: { description: "It is on record.", schema: wordTakenSchema },
        handle: async ({ params: { cluster, node }, body: { reason }, caller }) => {
          const actor = caller.name;
          const json = await port.say({ cluster, node, action, reason, actor });
          return { json, target: `${cluster}/${node}` };
        },
      }),
    ),
    defineRoute({
      method: "POST",
      path: `${nodePath}/test`,
      summary: "Asks for a run now; guard rails still hold.",
      access: "operate",
      action: "node.test",
      auditDetails: ({ body: { check, reason } }) => ({
        reason,
        ...(check === undefined ? {} : { check }),
      }),
      params: nodeParams,
      body: testBody,
      errors: [...unknown, "E_CHECK_UNKNOWN"],
      responses: { description: "It is on record.", schema: wordTakenSchema },
      handle: async ({ params: { cluster, node }, body: { check, reason }, caller }) => {
        const wish = check === undefined ? {} : { check };
        const actor = caller.name;
        const json = await port.say({ cluster, node, action: "test", reason, actor, ...wish });
        return { json, target: `${cluster}/${node}` };
      },
    }),
  ];
}
