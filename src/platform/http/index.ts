export { type App, createApp } from "./app.ts";
export type { AppOptions } from "./app-options.ts";
export type { AuditDetails, AuditEntry, AuditIntent, AuditSink } from "./audit.ts";
export type { Authenticator, Caller } from "./auth/caller.ts";
export { parseBearer } from "./auth/credential.ts";
export { type Role, roleAllows, roles } from "./auth/roles.ts";
export { createSecret, hashSecret, isOwnSecret, sameHash } from "./auth/secret.ts";
export { accepts, matchesEtag } from "./conditional.ts";
export { EventHub, type EventHubOptions } from "./events/event-hub.ts";
export { hostInUrl, isLoopback, loopbackNames } from "./guards/host.ts";
export { pagePolicy } from "./guards/security-headers.ts";
export { pathOfNul } from "./nul.ts";
export type { RateLimits } from "./rate-limit/rate-limiter.ts";
export { type Access, defineRoute, type Method, type Route, routeName } from "./route.ts";
export { type AuditEntryView, type AuditPort } from "./routes/audit.ts";
export {
  type DoctorHistoryView,
  type DoctorPort,
  type DoctorRunView,
  type DoctorView,
  type FindingView,
} from "./routes/doctor.ts";
export { type Figure, measured } from "./routes/figure.ts";
export type { ReadinessView, StatusPort, StatusView } from "./routes/status.ts";
export { type SystemPorts, systemRoutes } from "./routes/system.ts";
export {
  aboutToken,
  makeToken,
  type NewToken,
  type TokenPort,
  type TokenView,
  type TokenWish,
  tokenWishSchema,
} from "./routes/tokens.ts";
export {
  type ClusterValidationView,
  type ValidationPort,
  type ValidationView,
  validationRoutes,
} from "./routes/validation.ts";
export { type RunningServer, type ServerLimits, startServer } from "./server.ts";
