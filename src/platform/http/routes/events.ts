import { anonymous } from "../auth/caller.ts";
import { callerKey } from "../caller-key.ts";
import type { EventHub } from "../events/event-hub.ts";
import { defineRoute, type Route } from "../route.ts";

/** All who look without a token are at one address: this machine's. */
const streamsMax = { anonymous: 512, token: 64 };

/** The stream of events; see docs/api.md for their types. */
export function eventRoutes(hub: EventHub): readonly Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "/api/v1/events",
      summary: "Server-sent events; `Last-Event-ID` goes on after an interruption.",
      access: "read",
      stream: true,
      errors: ["E_EVENT_STREAMS_FULL"],
      responses: { description: "The stream.", contentType: "text/event-stream" },
      handle: ({ request, node, caller, address, signal, isStillGood }) => {
        // Answering HEAD must not open a stream that nobody reads.
        if (request.method === "HEAD") return new Response(null, { headers: streamHeaders });
        const stream = hub.subscribe({
          lastEventId: request.headers.get("last-event-id") ?? undefined,
          signal,
          cut: () => node?.outgoing.destroy(),
          owner: {
            key: callerKey(caller, address),
            streamsMax: caller === anonymous ? streamsMax.anonymous : streamsMax.token,
          },
          isStillGood,
        });
        return new Response(stream, { headers: streamHeaders });
      },
    }),
  ];
}

const streamHeaders = {
  "content-type": "text/event-stream",
  // Proxies that collect answers before they pass them on would hold events back.
  "x-accel-buffering": "no",
};
