import type { Logger } from "../platform/log/index.ts";

interface Release {
  readonly what: string;
  readonly run: () => Promise<void>;
}

/** What has to be given back at the end, last opened first. One failure does not keep the others. */
export class Releases {
  readonly #log: Pick<Logger, "error">;
  #pending: Release[] = [];

  constructor(log: Pick<Logger, "error">) {
    this.#log = log;
  }

  add(what: string, run: () => Promise<void>): void {
    this.#pending.push({ what, run });
  }

  async releaseAll(): Promise<void> {
    const pending = this.#pending.toReversed();
    this.#pending = [];
    for (const { what, run } of pending) {
      try {
        await run();
      } catch (err) {
        this.#log.error({ err, what }, "could not be closed");
      }
    }
  }
}
