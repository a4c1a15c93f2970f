import { z } from "zod";
import { defineRoute, type Route } from "../../../platform/http/index.ts";
import { nameParam } from "../common.ts";
import { type NotificationsPort, notificationListSchema } from "../notifications.ts";

const path = "/api/v1/notifications";

export function notificationRoutes(port: NotificationsPort): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path,
      summary: "Who is told of new failures, and how the messages to them stand.",
      access: "read",
      responses: {
        description: "The targets; counts are of the last 30 days.",
        schema: notificationListSchema,
      },
      handle: async () => ({ json: { targets: [...(await port.targets())] } }),
    }),
    defineRoute({
      method: "POST",
      path: `${path}/:name/test`,
      summary: "Sends a message that says it is a test, once and at once.",
      access: "admin",
      action: "notification.test",
      params: z.strictObject({ name: nameParam }),
      errors: ["E_NOT_FOUND", "E_NOTIFY_FAILED"],
      responses: { status: 204, description: "It was accepted." },
      handle: async ({ params: { name } }) => {
        await port.test(name);
        return { status: 204, target: name };
      },
    }),
  ];
}
