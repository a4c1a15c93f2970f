/** One event as it goes over the wire. */
export interface ServerEvent {
  /** `EPOCH-NUMBER`: the number counts up, the epoch names the process that counts. */
  readonly id: string;
  /** Dotted, past or present: `doctor.finding`, `status`. */
  readonly type: string;
  /** Sent as JSON. */
  readonly data: unknown;
}

/** An event in the text form of the `text/event-stream` format. JSON has no raw line breaks. */
export function encodeEvent(event: ServerEvent): string {
  return `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event.data)}\n\n`;
}

/** A comment: keeps proxies and sockets awake, readers ignore it. */
export const heartbeatText = ": alive\n\n";

/** Tells browsers how long to wait before they connect again. */
export function encodeRetry(delayMs: number): string {
  return `retry: ${delayMs}\n\n`;
}
