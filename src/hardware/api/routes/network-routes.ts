import { z } from "zod";
import { TesseraError } from "../../../platform/errors/index.ts";
import { defineRoute, type Route, routeName } from "../../../platform/http/index.ts";
import { type KubeObject, listAll, resourceTypes } from "../../../platform/kube/index.ts";
import type { FaultRequest } from "../fault-request.ts";
import { labelsSchema, nameSchema } from "../fault-request.ts";
import { faultResponseSchema } from "../fault-response.ts";
import { selectorOfPrefix } from "../pod-selector.ts";
import type { FaultApiPorts } from "../ports.ts";
import { revertFaults } from "../service/index.ts";
import { unsupported } from "../unsupported.ts";
import { injectedReply } from "./answers.ts";
import { durationField, durationSecondsDefault } from "./gpu-routes.ts";
import { type RouteParts, requireRight } from "./route-parts.ts";

const podsMax = 10_000;

const parametersSchema = z.strictObject({
  namespace: nameSchema.optional(),
  target_pod_prefix: z.string().min(1).max(253).optional(),
  pod_selector: labelsSchema.optional(),
  except_pods: labelsSchema.optional(),
  allow_dns: z.boolean().optional(),
  block_ingress: z.boolean().optional(),
  block_all_egress: z.boolean().optional(),
  block_nats: z.boolean().optional(),
  block_specific_pods: z.array(z.unknown()).optional(),
  block_ports: z.array(z.unknown()).optional(),
  allow_namespaces: z.array(z.unknown()).optional(),
});

type Parameters = z.output<typeof parametersSchema>;
type Body = z.output<typeof bodySchema>;

const bodySchema = z.strictObject({
  partition_type: z.enum(["frontend_worker", "worker_nats", "worker_worker", "custom"]),
  source: z.string().min(1).max(253),
  target: z.string().min(1).max(253),
  mode: z.enum(["networkpolicy", "chaos_mesh"]).default("networkpolicy"),
  parameters: parametersSchema.default({}),
  duration: durationField.describe("Seconds; 600 when not given."),
});

/** Network faults in the form of the first fault injection service. */
export function networkRoutes(parts: RouteParts): readonly Route[] {
  return [injectRoute(parts), cleanupRoute(parts)];
}

function injectRoute(parts: RouteParts): Route {
  const route: Route = defineRoute({
    method: "POST",
    path: "/api/v1/faults/network/inject",
    summary: "Cuts pods off by a NetworkPolicy of their own.",
    access: "inject",
    action: "fault.inject",
    body: bodySchema,
    responses: { status: 201, description: "The fault.", schema: faultResponseSchema },
    errors: ["E_HW_FORBIDDEN", "E_HW_REFUSED", "E_HW_FAILED", "E_REQUEST_INVALID"],
    handle: async ({ body, caller }) => {
      const { parameters, duration = durationSecondsDefault } = body;
      const namespace = nameSchema.safeParse(parameters.namespace ?? body.source);
      if (!namespace.success) {
        throw invalid(route, "`parameters.namespace` is missing, and `source` is no namespace.");
      }
      await requireRight(parts, caller, "inject", { namespace: namespace.data });
      refuseMissing(body);
      const name = parts.ports.newFaultName("partition");
      const request: FaultRequest = {
        run: name,
        name,
        namespace: namespace.data,
        action: await partitionOf(parts.ports, route, namespace.data, parameters),
        durationSeconds: duration,
        leaseSeconds: duration,
      };
      const note =
        body.duration === undefined
          ? `No duration was given, so it lasts ${durationSecondsDefault} s.`
          : "";
      return injectedReply(await parts.injector.inject(request, caller.name), note);
    },
  });
  return route;
}

/** A cut that is not the one asked for would be worse than none. */
function refuseMissing({ mode, parameters, partition_type: type }: Body): void {
  if (mode === "chaos_mesh") {
    throw unsupported("A partition by Chaos Mesh", "only NetworkPolicies are made here");
  }
  const asked = [
    parameters.block_nats === true ? "block_nats" : "",
    (parameters.block_specific_pods ?? []).length > 0 ? "block_specific_pods" : "",
    (parameters.block_ports ?? []).length > 0 ? "block_ports" : "",
    (parameters.allow_namespaces ?? []).length > 0 ? "allow_namespaces" : "",
  ].filter((name) => name !== "");
  if (asked.length > 0) {
    throw unsupported(
      `A partition with ${asked.join(", ")}`,
      "a policy can only name what stays allowed: use `except_pods` for the pods that stay reachable",
    );
  }
  const saysWhatIsCut = parameters.block_ingress === true || parameters.block_all_egress === true;
  if (type !== "custom" && !saysWhatIsCut) {
    throw unsupported(
      `A partition of the type ${type}`,
      "only whole pods can be cut off, from everybody: say `block_ingress` or `block_all_egress` if that is meant",
    );
  }
}

async function partitionOf(
  { client }: FaultApiPorts,
  route: Route,
  namespace: string,
  parameters: Parameters,
): Promise<FaultRequest["action"]> {
  const direction = directionOf(parameters);
  if (direction === undefined) {
    throw invalid(route, "`block_ingress` and `block_all_egress` are both false: nothing is cut.");
  }
  const { pod_selector: given, target_pod_prefix: prefix } = parameters;
  if (given === undefined && prefix === undefined) {
    throw invalid(route, "`parameters.target_pod_prefix` or `parameters.pod_selector` is missing.");
  }
  const podSelector = given ?? (await findSelector(client, namespace, prefix ?? ""));
  const { except_pods: exceptPods, allow_dns: allowDns } = parameters;
  return {
    kind: "partition",
    podSelector,
    direction,
    ...(exceptPods === undefined ? {} : { exceptPods }),
    ...(allowDns === undefined ? {} : { allowDns }),
  };
}

/** A direction that is not named is cut where the other one is not asked for; undefined: neither. */
function directionOf({
  block_ingress: ingress,
  block_all_egress: egress,
}: Parameters): "both" | "ingress" | "egress" | undefined {
  const cutsIn = ingress ?? egress !== true;
  const cutsOut = egress ?? ingress !== true;
  if (cutsIn && cutsOut) return "both";
  return cutsIn ? "ingress" : cutsOut ? "egress" : undefined;
}

async function findSelector(
  client: FaultApiPorts["client"],
  namespace: string,
  prefix: string,
): Promise<Record<string, string>> {
  const { items } = await listAll<KubeObject>(client, resourceTypes.pods, {
    namespace,
    itemsMax: podsMax,
    project: ({ metadata }) =>
      ({ metadata: { name: metadata.name, labels: metadata.labels } }) as KubeObject,
  });
  return { ...selectorOfPrefix(items, prefix) };
}

function cleanupRoute(parts: RouteParts): Route {
  return defineRoute({
    method: "POST",
    path: "/api/v1/faults/network/cleanup",
    summary: "Takes every partition of a namespace back.",
    access: "inject",
    action: "fault.cleanup",
    query: z.strictObject({ namespace: nameSchema }),
    responses: {
      description: "Whose policies are gone.",
      schema: z.object({
        policies_deleted: z.int(),
        deleted_policy_names: z.array(z.string()),
        still_there: z.array(z.string()),
      }),
    },
    errors: ["E_HW_FORBIDDEN"],
    handle: async ({ query: { namespace }, caller }) => {
      await requireRight(parts, caller, "revert", { namespace });
      const live = await parts.ports.book.list({ live: true });
      const cut = live.filter(
        ({ spec }) => spec.namespace === namespace && spec.action.kind === "partition",
      );
      const ended = await revertFaults(parts.ports, cut);
      const policies = (isOver: boolean) =>
        ended
          .filter(({ status }) => (status?.state === "reverted") === isOver)
          .flatMap(({ spec }) => (spec.action.kind === "partition" ? [spec.action.policy] : []));
      const deleted = policies(true);
      return {
        json: {
          policies_deleted: deleted.length,
          deleted_policy_names: deleted,
          still_there: policies(false),
        },
        target: namespace,
      };
    },
  });
}

function invalid(route: Route, problem: string): TesseraError {
  return new TesseraError("E_REQUEST_INVALID", { part: "body", problem, route: routeName(route) });
}
