import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import type { Metrics } from "../../../platform/metrics/index.ts";
import { auditLog, type Store } from "../../../platform/store/index.ts";
import { faultFigures } from "../fault-figures.ts";
import { nameSchema } from "../fault-request.ts";
import { type RouteParts, requireRight } from "./route-parts.ts";
import { visibleFaults } from "./visible-faults.ts";

/** Whether the API knows what it must to keep its promises. */
export interface HealthPort {
  /** What is wrong, in words; undefined when nothing is. */
  problem(): string | undefined;
}

export interface ObservingParts extends RouteParts {
  readonly store: Store;
  readonly metrics: Metrics;
  readonly health: HealthPort;
}

/** Health, figures and the audit log. */
export function observingRoutes(parts: ObservingParts): readonly Route[] {
  return [
    aliveRoute(),
    healthRoute(parts),
    collectRoute(parts),
    metricsRoute(parts),
    auditRoute(parts),
  ];
}

/** A process that cannot hear the API server is not helped by being started again. */
function aliveRoute(): Route {
  return defineRoute({
    method: "GET",
    path: "/healthz",
    summary: "Answers as long as the process does.",
    access: "open",
    responses: { description: "Alive.", schema: z.object({ alive: z.literal(true) }) },
    handle: () => ({ json: { alive: true as const } }),
  });
}

function healthRoute({ ports, health }: ObservingParts): Route {
  return defineRoute({
    method: "GET",
    path: "/health",
    summary: "Whether this process answers and hears from the API server.",
    access: "open",
    responses: {
      description: "Well.",
      schema: z.object({
        status: z.enum(["healthy", "unhealthy"]),
        service: z.literal("tessera-fault-api"),
        timestamp: z.string(),
        problem: z.string().optional(),
      }),
      otherStatus: { status: 503, description: "Not well; `problem` says why." },
    },
    handle: () => {
      const problem = health.problem();
      return {
        status: problem === undefined ? 200 : 503,
        json: {
          status: problem === undefined ? ("healthy" as const) : ("unhealthy" as const),
          service: "tessera-fault-api" as const,
          timestamp: new Date(ports.clock.nowMs()).toISOString(),
          ...(problem === undefined ? {} : { problem }),
        },
      };
    },
  });
}

const spreadSchema = z
  .object({ count: z.int(), min: z.number(), median: z.number(), max: z.number() })
  .nullable();

function collectRoute(parts: ObservingParts): Route {
  return defineRoute({
    method: "GET",
    path: "/api/v1/metrics/collect",
    summary: "Counts and times of the faults that the caller may see, as they were written down.",
    access: "read",
    action: "metrics.collect",
    query: z.strictObject({
      namespace: nameSchema.optional(),
      duration: z.coerce
        .number()
        .pipe(z.int().min(1).max(86_400))
        .optional()
        .describe("Only faults made in so many last seconds."),
    }),
    responses: {
      description: "Measured, none made up.",
      schema: z.object({
        total: z.int(),
        byState: z.record(z.string(), z.int()),
        byKind: z.record(z.string(), z.int()),
        injectSeconds: spreadSchema,
        detectSeconds: spreadSchema,
        revertSeconds: spreadSchema,
      }),
    },
    errors: ["E_HW_FORBIDDEN"],
    handle: async ({ query: { namespace, duration }, caller }) => {
      const seen = await visibleFaults(parts, caller, { namespace, activeOnly: false });
      const fromMs =
        duration === undefined
          ? Number.NEGATIVE_INFINITY
          : parts.ports.clock.nowMs() - duration * 1000;
      const recent = seen.filter(({ metadata, status }) => {
        const made = metadata.creationTimestamp ?? status?.history?.[0]?.at;
        return made === undefined || Date.parse(made) >= fromMs;
      });
      return { json: faultFigures(recent) };
    },
  });
}

function metricsRoute(parts: ObservingParts): Route {
  const { metrics, ports } = parts;
  return defineRoute({
    method: "GET",
    path: "/metrics",
    summary: "Metrics of this process for Prometheus.",
    access: "read",
    action: "metrics.read",
    responses: { description: "The metrics.", contentType: "text/plain" },
    errors: ["E_HW_FORBIDDEN"],
    handle: async ({ caller }) => {
      await requireRight(parts, caller, "read", { namespace: ports.namespace });
      return new Response(await metrics.text(), {
        headers: { "content-type": metrics.contentType },
      });
    },
  });
}

/** An entry of the audit log. */
export const auditViewSchema = z.object({
  id: z.int(),
  at: z.string(),
  actor: z.string().describe("The user name that the API server knows the caller by."),
  action: z.string(),
  subject: z.string(),
  details: z.record(z.string(), z.unknown()),
});

export type AuditView = z.output<typeof auditViewSchema>;

const pageDefault = 100;
const pageMax = 500;

function auditRoute(parts: ObservingParts): Route {
  const { store, ports } = parts;
  return defineRoute({
    method: "GET",
    path: "/api/v1/audit",
    summary: "Who asked for what, newest first; of one namespace, or of all.",
    access: "read",
    action: "audit.read",
    query: z.strictObject({
      namespace: nameSchema.optional(),
      limit: z.coerce.number().pipe(z.int().min(1).max(pageMax)).default(pageDefault),
      before: z.coerce.number().pipe(z.int().min(1)).optional(),
    }),
    responses: {
      description: "One page.",
      schema: z.object({ entries: z.array(auditViewSchema), next: z.int().nullable() }),
    },
    errors: ["E_HW_FORBIDDEN"],
    handle: async ({ query: { namespace, limit, before }, caller }) => {
      await requireRight(parts, caller, "audit", { namespace: namespace ?? ports.namespace });
      const page = { limit, ...(before === undefined ? {} : { beforeId: before }) };
      const records = await auditLog.list(store.db, page);
      const meant = records.filter(
        ({ details }) => namespace === undefined || details["namespace"] === namespace,
      );
      const entries = meant.map(({ atMs, ...record }) => ({
        ...record,
        at: new Date(atMs).toISOString(),
        details: { ...record.details },
      }));
      const next = records.length < limit ? null : (records.at(-1)?.id ?? null);
      return { json: { entries, next } };
    },
  });
}
