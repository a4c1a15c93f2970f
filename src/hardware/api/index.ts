export { createFaultApi, type FaultApiOptions } from "./create-fault-api.ts";
export {
  type FaultRequest,
  type FaultRequestInput,
  faultRequestSchema,
} from "./fault-request.ts";
export { faultEntrySchema, faultResponseSchema } from "./fault-response.ts";
export { type FaultView, faultViewSchema } from "./fault-view.ts";
export type { FaultApiPorts } from "./ports.ts";
export { type PlanAnswer, planAnswerSchema } from "./routes/fault-routes.ts";
export { type AuditView, auditViewSchema } from "./routes/observing-routes.ts";
export {
  type RunningFaultApi,
  type StartFaultApiOptions,
  startFaultApi,
} from "./start-fault-api.ts";
