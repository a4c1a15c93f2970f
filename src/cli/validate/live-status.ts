import type { LoopEvent, LoopStatus } from "../../validation/loop/index.ts";
import type { CommandIo } from "../invocation.ts";
import { describeEvent } from "./describe-event.ts";

/** Follows loops on a stream: a line for each event, and on a terminal how they stand below. */
export class LiveStatus {
  readonly #stream: CommandIo["stdout"];
  readonly #redraws: boolean;
  readonly #statuses = new Map<string, LoopStatus>();
  #judged = 0;

  constructor(stream: CommandIo["stdout"], env: CommandIo["env"]) {
    this.#stream = stream;
    this.#redraws = stream.isTTY === true && env["TERM"] !== "dumb";
  }

  tell(event: LoopEvent): void {
    if (event.type === "status") this.#statuses.set(event.cluster, event.status);
    if (event.type === "judged") this.#judged++;
    const line = describeEvent(event);
    if (line === undefined && !this.#redraws) return;
    this.#stream.write(
      `${this.#erased()}${line === undefined ? "" : `${line}\n`}${this.#bottom()}`,
    );
  }

  close(): void {
    this.#stream.write(this.#erased());
  }

  #erased(): string {
    return this.#redraws ? "\r\u001b[K" : "";
  }

  #bottom(): string {
    if (!this.#redraws) return "";
    const parts = [...this.#statuses.values()].map(
      ({ cluster, inFlight, inFlightMax, nodes }) =>
        `${cluster} ${inFlight}/${inFlightMax} in flight, ${nodes?.free ?? 0}/${nodes?.total ?? 0} free`,
    );
    const width = (this.#stream.columns ?? 80) - 1;
    return [...parts, `${this.#judged} judged`].join(" | ").slice(0, width);
  }
}
