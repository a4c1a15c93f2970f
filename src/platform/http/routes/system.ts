import type { Metrics } from "../../metrics/index.ts";
import type { EventHub } from "../events/event-hub.ts";
import type { Route } from "../route.ts";
import { type AuditPort, auditRoutes } from "./audit.ts";
import { type DoctorPort, doctorRoutes } from "./doctor.ts";
import { eventRoutes } from "./events.ts";
import { metricsRoutes } from "./metrics.ts";
import { type StatusPort, statusRoutes } from "./status.ts";
import { type TokenPort, tokenRoutes } from "./tokens.ts";

/** What the control plane's own routes stand on. */
export interface SystemPorts {
  readonly status: StatusPort;
  readonly doctor: DoctorPort;
  readonly tokens: TokenPort;
  readonly audit: AuditPort;
  readonly hub: EventHub;
  readonly metrics: Metrics;
}

/** The routes of the control plane itself; other rooms add theirs to the table. */
export function systemRoutes(ports: SystemPorts): readonly Route[] {
  return [
    ...statusRoutes(ports.status),
    ...doctorRoutes(ports.doctor),
    ...tokenRoutes(ports.tokens),
    ...auditRoutes(ports.audit),
    ...eventRoutes(ports.hub),
    ...metricsRoutes(ports.metrics),
  ];
}
