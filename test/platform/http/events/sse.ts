import { type ClientRequest, type IncomingMessage, request } from "node:http";

export interface SseEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: unknown;
}

/** A reader of an event stream over a real connection. */
export class SseReader implements Disposable {
  readonly events: SseEvent[] = [];
  comments = 0;
  ended = false;
  readonly #call: ClientRequest;
  readonly #response: IncomingMessage;

  private constructor(call: ClientRequest, response: IncomingMessage) {
    this.#call = call;
    this.#response = response;
    let rest = "";
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      const blocks = (rest + text).split("\n\n");
      rest = blocks.pop() ?? "";
      for (const block of blocks) this.#take(block);
    });
    response.on("close", () => {
      this.ended = true;
    });
    response.on("error", () => {});
  }

  static open(
    server: { readonly port: number },
    options: { readonly lastEventId?: string; readonly paused?: boolean } = {},
  ): Promise<SseReader> {
    const headers =
      options.lastEventId === undefined ? {} : { "last-event-id": options.lastEventId };
    return new Promise((resolve, reject) => {
      const call = request(
        { host: "127.0.0.1", port: server.port, path: "/api/v1/events", headers, agent: false },
        (response) => {
          if (response.statusCode !== 200) {
            response.resume();
            reject(new Error(`status ${response.statusCode}`));
            return;
          }
          const reader = new SseReader(call, response);
          if (options.paused === true) response.pause();
          resolve(reader);
        },
      );
      call.on("error", reject);
      call.end();
    });
  }

  get types(): string[] {
    return this.events.map((event) => event.type);
  }

  resume(): void {
    this.#response.resume();
  }

  [Symbol.dispose](): void {
    this.#call.destroy();
  }

  #take(block: string): void {
    if (block.startsWith(":")) this.comments++;
    const fields = new Map(
      block.split("\n").map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon), line.slice(colon + 2)] as const;
      }),
    );
    const type = fields.get("event");
    if (type === undefined) return;
    this.events.push({
      id: fields.get("id"),
      type,
      data: JSON.parse(fields.get("data") ?? "null"),
    });
  }
}
