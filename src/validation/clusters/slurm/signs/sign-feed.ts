import { messageOf } from "../../../../platform/errors/index.ts";
import type { SlurmClient, SlurmNode } from "../../../../platform/slurm/index.ts";
import type { Clock } from "../../../../platform/time/index.ts";
import type { Sign } from "../../cluster.ts";
import { SignQueue } from "../../sign-queue.ts";
import type { SlurmIdentity } from "../names.ts";
import { SignReader } from "./sign-reader.ts";

export interface SignFeedOptions {
  readonly client: Pick<SlurmClient, "history">;
  readonly who: SlurmIdentity;
  readonly clock: Clock;
  /** Hears why history could not be read. */
  readonly complain: (problem: string) => void;
}

const everyMs = 60_000;

/** Asks for history now and then, beside the looks, which must not wait for accounting. */
export class SignFeed {
  readonly #options: SignFeedOptions;
  readonly #queue = new SignQueue();
  readonly #reader: SignReader;
  readonly #stopping = new AbortController();
  #reading: Promise<void> | undefined;
  #readMs: number | undefined;

  constructor(options: SignFeedOptions) {
    this.#options = options;
    this.#reader = new SignReader(options.who);
  }

  take(): readonly Sign[] {
    return this.#queue.take();
  }

  /** Has it read if that is due. */
  look(nodes: readonly SlurmNode[]): void {
    const { clock, client, complain } = this.#options;
    const monotonicMs = clock.monotonicMs();
    const isDue = monotonicMs - (this.#readMs ?? Number.NEGATIVE_INFINITY) >= everyMs;
    if (!isDue || this.#reading !== undefined) return;
    this.#readMs = monotonicMs;
    const nowMs = clock.nowMs();
    this.#reading = client
      .history(this.#reader.sinceMs(nowMs), { signal: this.#stopping.signal })
      .then((history) => {
        if (history.problem !== undefined) complain(history.problem);
        this.#queue.add(this.#reader.read(history, nodes, nowMs));
      })
      .catch((error: unknown) => {
        if (this.#stopping.signal.aborted) return;
        complain(`Ended jobs could not be asked for: ${messageOf(error)}`);
      })
      .finally(() => {
        this.#reading = undefined;
      });
  }

  async stop(): Promise<void> {
    this.#stopping.abort(new Error("the cluster is no longer looked at"));
    await this.#reading;
  }
}
