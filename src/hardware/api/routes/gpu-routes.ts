import { z } from "zod";
import { TesseraError } from "../../../platform/errors/index.ts";
import { type Caller, defineRoute, type Route, routeName } from "../../../platform/http/index.ts";
import { wordsFor, xidCatalogue } from "../../xid/index.ts";
import {
  durationSecondsMax,
  type FaultRequest,
  nameSchema,
  objectNameSchema,
} from "../fault-request.ts";
import { faultResponseSchema } from "../fault-response.ts";
import { unsupported } from "../unsupported.ts";
import { injectedReply } from "./answers.ts";
import { knownNamespace } from "./known-namespace.ts";
import { type RouteParts, requireRight } from "./route-parts.ts";

/** Every fault has an end; requests in the old form may leave it out. */
export const durationSecondsDefault = 600;

export const durationField = z.int().min(1).max(durationSecondsMax).optional();

const gpuFields = {
  node_name: objectNameSchema,
  namespace: nameSchema.optional(),
  duration: durationField.describe("Seconds; 600 when not given."),
};

const gpuId = z.int().min(0).max(63).default(0);

const faultTypes = [
  "xid_error",
  "throttle",
  "memory_pressure",
  "overheat",
  "compute_overload",
] as const;

/** Why the other types are not there: what would answer to their name would be something else. */
const missingTypes: Readonly<Record<Exclude<(typeof faultTypes)[number], "xid_error">, string>> = {
  throttle: "clocks can only be lowered by the driver's administrator, and no undo of that is safe",
  memory_pressure: "filling GPU memory takes a process of its own beside the workload's",
  overheat: "a temperature cannot be set, and a value in one exporter's cache misleads only that",
  compute_overload: "it takes a process of its own beside the workload's",
};

const responses = {
  status: 201,
  description: "The fault.",
  schema: faultResponseSchema,
  otherStatus: { status: 202, description: "The agent has not carried it out yet." },
} as const;

const errors = [
  "E_HW_FORBIDDEN",
  "E_HW_REFUSED",
  "E_HW_FAILED",
  "E_XID_UNKNOWN",
  "E_REQUEST_INVALID",
] as const;

/** GPU faults in the form of the first fault injection service. */
export function gpuRoutes(parts: RouteParts): readonly Route[] {
  return [typesRoute(parts), anyTypeRoute(parts), xidRoute(parts)];
}

function typesRoute({ notes }: RouteParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/faults/gpu/xid-types",
    summary: "The XIDs that can be injected.",
    access: "read",
    action: "xid.list",
    responses: {
      description: "From the catalogue.",
      schema: z.object({
        xid_types: z.array(
          z.object({
            code: z.int(),
            name: z.string(),
            severity: z.string(),
            description: z.string(),
          }),
        ),
      }),
    },
    handle: ({ caller }) => {
      // The catalogue is public: whoever is known may read it.
      notes.add(caller, { verb: "read" });
      const types = xidCatalogue
        .filter(({ gpud }) => gpud !== null)
        .map(({ xid: code, name, severity, immediateAction }) => ({
          code,
          name,
          severity,
          description: wordsFor(immediateAction),
        }));
      return { json: { xid_types: types } };
    },
  });
}

function anyTypeRoute(parts: RouteParts): Route {
  const route: Route = defineRoute({
    method: "POST",
    path: "/api/v1/faults/gpu/inject",
    summary: "A GPU fault by type; only `xid_error` can be made.",
    access: "inject",
    action: "fault.inject",
    body: z.strictObject({
      ...gpuFields,
      fault_type: z.enum(faultTypes),
      severity: z.enum(["low", "medium", "high"]).optional(),
      parameters: z
        .strictObject({ xid_type: z.int().optional(), gpu_id: gpuId })
        .default({ gpu_id: 0 }),
    }),
    responses,
    errors,
    handle: async ({ body, caller }) => {
      const name = routeName(route);
      const namespace = knownNamespace(body.namespace, parts.ports.allowNamespaces, name);
      await requireRight(parts, caller, "inject", { namespace });
      if (body.fault_type !== "xid_error") {
        throw unsupported(`The GPU fault ${body.fault_type}`, missingTypes[body.fault_type]);
      }
      const xid = body.parameters.xid_type;
      if (xid === undefined) throw invalid(name, "`parameters.xid_type` is missing.");
      const { node_name: node, duration, severity } = body;
      const asked = { namespace, node, duration, xid, gpu: body.parameters.gpu_id };
      const note = severity === undefined ? "" : "`severity` has no meaning: an XID has its own.";
      return injectXid(parts, caller, { ...asked, note });
    },
  });
  return route;
}

function xidRoute(parts: RouteParts): Route {
  const route: Route = defineRoute({
    method: "POST",
    path: "/api/v1/faults/gpu/inject/:xid",
    summary: "One XID of the catalogue: `xid-79`.",
    access: "inject",
    action: "fault.inject",
    params: z.strictObject({
      xid: z
        .string()
        .regex(/^xid-\d{1,4}$/, { error: "must look like xid-79" })
        .transform((text) => Number(text.slice("xid-".length))),
    }),
    body: z.strictObject({ ...gpuFields, gpu_id: gpuId, xid_type: z.int().optional() }),
    responses,
    errors,
    handle: async ({ params: { xid }, body, caller }) => {
      const name = routeName(route);
      const namespace = knownNamespace(body.namespace, parts.ports.allowNamespaces, name);
      await requireRight(parts, caller, "inject", { namespace });
      if (body.xid_type !== undefined && body.xid_type !== xid) {
        throw invalid(name, `\`xid_type\` is ${body.xid_type}, but the path says ${xid}.`);
      }
      const { node_name: node, duration, gpu_id: gpu } = body;
      return injectXid(parts, caller, { namespace, node, duration, xid, gpu });
    },
  });
  return route;
}

interface AskedXid {
  readonly namespace: string;
  readonly node: string;
  readonly duration: number | undefined;
  readonly xid: number;
  readonly gpu: number;
  /** What else the answer says. */
  readonly note?: string;
}

async function injectXid({ ports, injector }: RouteParts, caller: Caller, asked: AskedXid) {
  const { namespace, node, xid, gpu, duration = durationSecondsDefault } = asked;
  const name = ports.newFaultName("xid");
  const request: FaultRequest = {
    run: name,
    name,
    namespace,
    action: { kind: "xid", node, gpu: { index: gpu }, lines: [{ xid }] },
    durationSeconds: duration,
    // Nobody renews what was asked for in this form.
    leaseSeconds: duration,
    wait: true,
  };
  const notes = [
    asked.duration === undefined
      ? `No duration was given, so it lasts ${durationSecondsDefault} s.`
      : "",
    asked.note ?? "",
  ].filter((text) => text !== "");
  return injectedReply(await injector.inject(request, caller.name), notes.join(" "));
}

function invalid(route: string, problem: string): TesseraError {
  return new TesseraError("E_REQUEST_INVALID", { part: "body", problem, route });
}
