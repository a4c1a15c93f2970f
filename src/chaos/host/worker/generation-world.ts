import type { Clock } from "../../../platform/time/index.ts";
import { joinWorld, type World } from "../../../runtime/ranks/index.ts";
import { formatAddress } from "../../../runtime/ranks/wire/address.ts";
import { RankLinks } from "../../../runtime/ranks/world/links.ts";
import { TroubleError } from "./trouble.ts";

export interface GenerationWorldOptions {
  readonly rank: number;
  readonly worldSize: number;
  readonly secret: string;
  readonly clock: Clock;
  /** The interface that the others reach this rank on. */
  readonly host: string;
  /** How long ranks may take to come, and connections to be made. */
  readonly joinMs: number;
  readonly collectiveMs: number;
  /** Ranks of the plan for ranks of this world. */
  readonly planRank: (worldRank: number) => number;
  /** An exchange did not end in time: who is to be suspected, by rank of the plan. */
  readonly suspects: () => Promise<readonly number[]>;
}

/**
 * The ranks of one attempt of one generation. It meets through the rendezvous of `runtime/ranks`; its
 * connections lead where the runner says, so that they can be cut. Whoever waits in vain does not end the
 * world for all, as a single run would: the coordinator is told, and decides.
 */
export class GenerationWorld {
  readonly #o: GenerationWorldOptions;
  readonly #links: RankLinks;
  readonly #over: AbortController;
  /** Ends the joining alone: a world that was joined tells all others when its rank gives up. */
  readonly #joining = new AbortController();
  #inner: World | undefined;
  #isStalled = false;

  /** Listens, so that others can be told where. */
  static async open(options: GenerationWorldOptions): Promise<GenerationWorld> {
    const { rank, worldSize, secret, clock, host, collectiveMs } = options;
    const over = new AbortController();
    const about = { rank, worldSize, secret, clock, host, timeoutMs: collectiveMs };
    const links = await RankLinks.open({ ...about, signal: over.signal });
    return new GenerationWorld(options, links, over);
  }

  private constructor(options: GenerationWorldOptions, links: RankLinks, over: AbortController) {
    this.#o = options;
    this.#links = links;
    this.#over = over;
  }

  get address(): string {
    return formatAddress(this.#links.address);
  }

  get isOver(): boolean {
    return this.#over.signal.aborted;
  }

  /** @param peers where this rank reaches each, by rank of this world */
  async join(rendezvous: string, peers: readonly string[]): Promise<World> {
    const { rank, worldSize, secret, clock, joinMs: timeoutMs } = this.#o;
    const { signal } = this.#joining;
    this.#links.begin(peers);
    const about = { rank, worldSize, rendezvous, secret, clock, signal, timeoutMs };
    const inner = await joinWorld(about);
    this.#inner = inner;
    const onOver = () => this.end(inner.signal.reason);
    inner.signal.addEventListener("abort", onOver, { once: true });
    if (inner.signal.aborted) onOver();
    return this.#world(inner, peers);
  }

  /** Whatever is under way rejects with the reason. Connections stay until all have stopped. */
  end(reason: unknown): void {
    if (this.isOver) return;
    this.#over.abort(reason);
    if (this.#inner === undefined) this.#joining.abort(reason);
  }

  async close(): Promise<void> {
    this.end(new Error("this generation is over"));
    await Promise.all([this.#inner?.leave(), this.#links.close()]);
  }

  #world(inner: World, peers: readonly string[]): World {
    const { rank, worldSize } = inner;
    const { planRank, collectiveMs: timeoutMs } = this.#o;
    return {
      rank,
      worldSize,
      peers,
      signal: this.#over.signal,
      links: this.#links,
      barrier: (options) => this.#untilOver(inner.barrier({ timeoutMs, ...options })),
      gather: (value, options) => this.#untilOver(inner.gather(value, { timeoutMs, ...options })),
      broadcast: (value, options) =>
        this.#untilOver(inner.broadcast(value, { timeoutMs, ...options })),
      begin: (what) => inner.begin(what),
      stalled: (problem) => void this.#stalled(problem),
      abort: (problem, at = rank) => {
        const suspects = at === rank ? [] : [planRank(at)];
        this.end(new TroubleError({ cause: "peer", suspects, reason: problem }));
      },
      leave: () => this.close(),
    };
  }

  /** What is waited for may never come once this world is over here and not elsewhere. */
  async #untilOver<T>(meeting: Promise<T>): Promise<T> {
    const { signal } = this.#over;
    let onOver = () => {};
    const over = new Promise<never>((_, reject) => {
      onOver = () => reject(signal.reason);
      signal.addEventListener("abort", onOver, { once: true });
      if (signal.aborted) onOver();
    });
    try {
      return await Promise.race([meeting, over]);
    } finally {
      signal.removeEventListener("abort", onOver);
    }
  }

  async #stalled(problem: string): Promise<void> {
    if (this.#isStalled || this.isOver) return;
    this.#isStalled = true;
    const suspects = await this.#o.suspects();
    this.end(new TroubleError({ cause: "collective", suspects, reason: problem }));
  }
}
