import { z } from "zod";
import { named } from "../../platform/http/api-schemas.ts";
import { count, moment } from "./common.ts";

export const notificationEvents = [
  "node.failed",
  "node.recovered",
  "node.closed",
  "breaker.open",
  "experiment.failed",
  "fault.left",
] as const;

export const notificationTargetSchema = named(
  "NotificationTarget",
  z.strictObject({
    name: z.string(),
    kind: z.enum(["webhook", "slack"]),
    host: z.string().describe("Only the host: the rest of an address is often a secret."),
    events: z.array(z.enum(notificationEvents)),
    waiting: count.describe("Messages not delivered yet."),
    delivered: count,
    failed: count.describe("Given up after all attempts."),
    lastError: z.string().nullable(),
    lastDeliveredAt: moment.nullable(),
  }),
);

export const notificationListSchema = named(
  "NotificationTargets",
  z.strictObject({ targets: z.array(notificationTargetSchema) }),
);

export type NotificationEvent = (typeof notificationEvents)[number];
export type NotificationTargetView = z.output<typeof notificationTargetSchema>;

export interface NotificationsPort {
  targets(): Promise<readonly NotificationTargetView[]>;
  /** Sends a message that says it is a test. @throws E_NOT_FOUND, E_NOTIFY_FAILED */
  test(name: string): Promise<void>;
}
