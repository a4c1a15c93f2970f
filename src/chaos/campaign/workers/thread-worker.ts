import assert from "node:assert/strict";
import { Worker } from "node:worker_threads";
import { messageOf } from "../../../platform/errors/index.ts";
import type { RunSummary } from "../run-summary.ts";
import type { CampaignWorker, WorkerOrder } from "./orders.ts";

/** What goes to a thread, and what comes back. */
export interface ThreadOrder {
  readonly id: number;
  readonly order: WorkerOrder;
}
export type ThreadAnswer =
  | { readonly id: number; readonly summary: RunSummary }
  | { readonly id: number; readonly failed: string };

/** Orders that wait for one thread; it works on one at a time. */
const waitingMax = 4096;

interface Waiting {
  resolve(summary: RunSummary): void;
  reject(error: Error): void;
}

export interface ThreadWorkerOptions {
  /** The file of this program. */
  readonly program: string;
  /** What makes it serve: `agent campaign-worker`. */
  readonly args: readonly string[];
}

/** A worker in a thread of its own, which is this program once more. */
export function createThreadWorker({ program, args }: ThreadWorkerOptions): CampaignWorker {
  return new ThreadWorker(
    new Worker(program, { argv: [...args], execArgv: [], name: "tessera-chaos" }),
  );
}

class ThreadWorker implements CampaignWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #gone: Error | undefined;

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: ThreadAnswer) => this.#settle(answer));
    worker.on("error", (error) => this.#lose(messageOf(error)));
    worker.on("exit", (code) => this.#lose(`it ended with exit code ${code}`));
  }

  carryOut(order: WorkerOrder): Promise<RunSummary> {
    if (this.#gone !== undefined) return Promise.reject(this.#gone);
    assert(this.#waiting.size < waitingMax, `a thread has at most ${waitingMax} orders`);
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const message: ThreadOrder = { id, order };
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, no window
      this.#worker.postMessage(message);
    });
  }

  async close(): Promise<void> {
    this.#lose("it was closed");
    await this.#worker.terminate();
  }

  #settle(answer: ThreadAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    assert(waiting !== undefined, "an answer belongs to an order");
    this.#waiting.delete(answer.id);
    if ("summary" in answer) waiting.resolve(answer.summary);
    else waiting.reject(new Error(answer.failed));
  }

  #lose(why: string): void {
    this.#gone ??= new Error(`a worker of the campaign is gone: ${why}`);
    for (const { reject } of this.#waiting.values()) reject(this.#gone);
    this.#waiting.clear();
  }
}
