import { createHash } from "node:crypto";
import type { Logger } from "../../platform/log/index.ts";
import type { Clock } from "../../platform/time/index.ts";
import type { History } from "../history/index.ts";
import type { HandInWay, RunResult } from "../run.ts";

interface InboxOptions {
  readonly history: Pick<History, "recordResult">;
  readonly log: Pick<Logger, "error">;
}

/** Takes the results of simulated jobs, which have neither network nor disk, as if they had. */
export class Inbox {
  readonly #options: InboxOptions;
  #clock: Clock | undefined;
  #onRecorded = () => {};

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** From now on results are recorded, in the time of their cluster. */
  open(clock: Clock, onRecorded: () => void): void {
    this.#clock = clock;
    this.#onRecorded = onRecorded;
  }

  /** Records a result. Never throws: a result that cannot be recorded is lost, as a post can be. */
  take(result: RunResult, way: HandInWay): void {
    const { history, log } = this.#options;
    const atMs = this.#clock?.nowMs() ?? result.endedAtMs;
    const digest = createHash("sha256").update(JSON.stringify(result)).digest("hex");
    history.recordResult(result, { origin: "pod", atMs, way, digest }).then(
      (status) => {
        if (status === "recorded") this.#onRecorded();
      },
      (err: unknown) => log.error({ err, run: result.runId }, "a result could not be recorded"),
    );
  }
}
