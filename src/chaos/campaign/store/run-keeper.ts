import type { CampaignRun, CanaryRun } from "../campaign-part.ts";
import type { CampaignBook } from "./campaign-book.ts";

/** So many may wait for the disk; who brings more waits with them. */
const waitingMax = 1000;

/**
 * Puts runs into a book as they come. Those that come while a write is under way share the next one, so
 * that a slow disk costs a campaign nothing, and a killed one loses only its last few runs.
 */
export class RunKeeper {
  readonly #book: CampaignBook;
  #runs: CampaignRun[] = [];
  #canaries: CanaryRun[] = [];
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(book: CampaignBook) {
    this.#book = book;
  }

  /** Resolves at once, or when there is room again. Rejects when an earlier write failed. */
  async addRun(run: CampaignRun): Promise<void> {
    this.#runs.push(run);
    await this.#added();
  }

  async addCanary(canary: CanaryRun): Promise<void> {
    this.#canaries.push(canary);
    await this.#added();
  }

  /** Resolves when all that was added is durable. Rejects when a write failed. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing;
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #added(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    this.#writing ??= this.#write();
    if (this.#runs.length >= waitingMax) await this.flush();
  }

  async #write(): Promise<void> {
    try {
      while (this.#failure === undefined && this.#runs.length + this.#canaries.length > 0) {
        const [runs, canaries] = [this.#runs, this.#canaries];
        this.#runs = [];
        this.#canaries = [];
        await this.#book.put({ runs, canaries });
      }
    } catch (error) {
      this.#failure = error;
    } finally {
      this.#writing = undefined;
    }
  }
}
