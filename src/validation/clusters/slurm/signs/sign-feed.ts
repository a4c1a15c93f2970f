import { messageOf } from "../../../../platform/errors/index.ts";
import type { SlurmClient, SlurmNode } from "../../../../platform/slurm/index.ts";
import type { Clock } from "../../../../platform/time/index.ts";
import type { Sign } from "../../cluster.ts";
import { SignQueue } from "../../sign-queue.ts";
import type { SlurmIdentity } from "../names.ts";
import { HistoryPace } from "./history-pace.ts";
import { SignReader } from "./sign-reader.ts";

export interface SignFeedOptions {
  readonly client: Pick<SlurmClient, "history">;
  readonly who: SlurmIdentity;
  readonly clock: Clock;
  /** Hears why history could not be read. */
  readonly complain: (problem: string) => void;
}

/** Tells of signs: of nodes at each look, of history now and then, beside the looks, which must not wait for accounting. */
export class SignFeed {
  readonly #options: SignFeedOptions;
  readonly #queue = new SignQueue();
  readonly #reader: SignReader;
  readonly #pace = new HistoryPace();
  readonly #stopping = new AbortController();
  #reading: Promise<void> | undefined;

  constructor(options: SignFeedOptions) {
    this.#options = options;
    this.#reader = new SignReader(options.who);
  }

  take(): readonly Sign[] {
    return this.#queue.take();
  }

  /** Takes note of a look at the nodes, and has history read if that is due. */
  look(nodes: readonly SlurmNode[], atMs: number): void {
    this.#queue.add(this.#reader.readNodes(nodes, atMs));
    const { clock, client, complain } = this.#options;
    const begunMs = clock.monotonicMs();
    if (!this.#pace.isDue(begunMs) || this.#reading !== undefined) return;
    const nowMs = clock.nowMs();
    this.#pace.begin(begunMs);
    this.#reading = client
      .history(this.#pace.sinceMs(nowMs), { signal: this.#stopping.signal })
      .then((history) => {
        this.#pace.succeeded(nowMs, clock.monotonicMs());
        if (history.problem !== undefined) complain(history.problem);
        this.#queue.add(this.#reader.readHistory(history));
      })
      .catch((error: unknown) => {
        if (this.#stopping.signal.aborted) return;
        this.#pace.failed(clock.monotonicMs());
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
