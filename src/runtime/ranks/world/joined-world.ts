import { messageOf, TesseraError } from "../../../platform/errors/index.ts";
import type { Clock, Timer } from "../../../platform/time/clock.ts";
import type { Peer, PeerHandlers } from "../wire/peer.ts";
import type { RankLinks } from "./links.ts";
import { aliveEveryMs, type ToRank, toRankSchema, type Verdict } from "./messages.ts";
import type { MeetOptions, World } from "./world.ts";

const meetMsDefault = 300_000;
/** How much longer than the rendezvous a rank waits for its word. */
const wordMs = 10_000;

interface Waiting {
  resolve(values: readonly unknown[]): void;
  reject(error: unknown): void;
}

/** A world that this process has joined. */
export class JoinedWorld implements World {
  readonly rank: number;
  readonly worldSize: number;
  readonly links: RankLinks;
  readonly signal: AbortSignal;
  readonly #over: AbortController;
  readonly #outer: AbortSignal;
  readonly #clock: Clock;
  readonly #rendezvous: string;
  readonly #meetings = new Map<number, Waiting>();
  #peers: readonly string[] = [];
  #peer: Peer | undefined;
  #beginning: Waiting | undefined;
  #alive: Timer | undefined;
  #sequence = 0;
  #operation = 0;
  #at = "";
  #leaving = false;

  constructor(options: {
    readonly rank: number;
    readonly worldSize: number;
    readonly rendezvous: string;
    readonly clock: Clock;
    readonly links: RankLinks;
    readonly over: AbortController;
    readonly signal: AbortSignal;
  }) {
    this.rank = options.rank;
    this.worldSize = options.worldSize;
    this.links = options.links;
    this.signal = options.over.signal;
    this.#over = options.over;
    this.#outer = options.signal;
    this.#clock = options.clock;
    this.#rendezvous = options.rendezvous;
    this.#outer.addEventListener("abort", this.#onOuterAbort, { once: true });
  }

  get peers(): readonly string[] {
    return this.#peers;
  }

  connect(peer: Peer): PeerHandlers {
    this.#peer = peer;
    return {
      onMessage: (message) => this.#hear(toRankSchema.parse(message)),
      onClose: (problem) => {
        if (this.#leaving) return;
        const why = problem === undefined ? "" : ` (${problem})`;
        this.#end(this.#failure(`the connection to the rendezvous was lost${why}`));
      },
    };
  }

  /** Says where this rank is reached, and waits until all are there. */
  async begun(listens: string, timeoutMs: number): Promise<void> {
    if (this.#outer.aborted) this.#onOuterAbort();
    const peers = await this.#await({
      timeoutMs: timeoutMs + wordMs,
      what: "the other ranks",
      start: (waiting) => {
        this.#beginning = waiting;
        this.#peer?.send({ type: "here", listens });
      },
    });
    this.#peers = peers.map(String);
    this.links.begin(this.#peers);
    this.#showAlive();
  }

  async barrier(options: MeetOptions = {}): Promise<void> {
    await this.#meet(null, { what: "a barrier", ...options });
  }

  async gather<Value>(value: Value, options: MeetOptions = {}): Promise<readonly Value[]> {
    // Everyone's value has the type of this rank's, because all run the same program.
    return (await this.#meet(value, { what: "an exchange", ...options })) as readonly Value[];
  }

  async broadcast<Value>(
    value: Value,
    { root = 0, ...options }: MeetOptions & { readonly root?: number } = {},
  ): Promise<Value> {
    const own = this.rank === root ? value : null;
    const values = await this.#meet(own, { what: `a broadcast of rank ${root}`, ...options });
    return values[root] as Value;
  }

  begin(what: string): number {
    this.#at = what;
    this.#operation += 1;
    return this.#operation;
  }

  stalled(problem: string): void {
    this.#peer?.send({ type: "stalled", operation: this.#operation, problem });
    this.#giveUpWaiting(problem);
  }

  abort(problem: string, rank = this.rank): void {
    if (this.signal.aborted || this.#leaving) return;
    this.#peer?.send({ type: "abort", rank, problem });
    this.#giveUpWaiting(problem, rank);
  }

  async leave(): Promise<void> {
    if (this.#leaving) return;
    this.#leaving = true;
    this.#alive?.cancel();
    this.#outer.removeEventListener("abort", this.#onOuterAbort);
    this.#peer?.send({ type: "bye" });
    this.#peer?.end();
    await this.links.close();
    this.#end(new Error("this rank has left its world"));
  }

  readonly #onOuterAbort = () => {
    this.abort(`it gave up: ${messageOf(this.#outer.reason).replace(/\.$/, "")}`);
    this.#end(this.#outer.reason);
  };

  #meet(
    value: unknown,
    { what, timeoutMs = meetMsDefault }: MeetOptions & { readonly what: string },
  ): Promise<readonly unknown[]> {
    const sequence = this.#sequence++;
    return this.#await({
      timeoutMs: timeoutMs + wordMs,
      what,
      start: (waiting) => {
        this.#meetings.set(sequence, waiting);
        this.#peer?.send({ type: "meet", sequence, what, value: value ?? null, timeoutMs });
      },
    }).finally(() => this.#meetings.delete(sequence));
  }

  /** Waits for a word of the rendezvous, until the world is over or the rendezvous does not answer. */
  #await(options: {
    readonly timeoutMs: number;
    readonly what: string;
    readonly start: (waiting: Waiting) => void;
  }): Promise<readonly unknown[]> {
    return new Promise((resolve, reject) => {
      const release = () => {
        timer.cancel();
        this.signal.removeEventListener("abort", onOver);
      };
      const onOver = () => {
        release();
        reject(this.signal.reason);
      };
      const timer = this.#clock.setTimer(options.timeoutMs, () =>
        this.#end(this.#failure(`the rendezvous said nothing about ${options.what}`)),
      );
      this.signal.addEventListener("abort", onOver, { once: true });
      if (this.signal.aborted) {
        onOver();
        return;
      }
      options.start({
        resolve: (values) => {
          release();
          resolve(values);
        },
        reject,
      });
    });
  }

  #hear(message: ToRank): void {
    switch (message.type) {
      case "begin":
        return this.#beginning?.resolve(message.peers);
      case "where":
        return this.#sayWhere();
      case "met":
        return this.#meetings.get(message.sequence)?.resolve(message.values);
      case "aborted":
        return this.#end(this.#errorOf(message));
    }
  }

  #showAlive(): void {
    if (this.signal.aborted || this.#leaving) return;
    this.#sayWhere();
    this.#alive = this.#clock.setTimer(aliveEveryMs, () => this.#showAlive());
  }

  #sayWhere(): void {
    this.#peer?.send({ type: "alive", operation: this.#operation, what: this.#at });
  }

  /** The rendezvous has the last word on who is to blame; if it has none, this rank's own counts. */
  #giveUpWaiting(problem: string, rank = this.rank): void {
    const timer = this.#clock.setTimer(wordMs, () =>
      this.#end(new TesseraError("E_RANK_LOST", { rank, problem })),
    );
    this.signal.addEventListener("abort", () => timer.cancel(), { once: true });
  }

  #end(reason: unknown): void {
    if (this.signal.aborted) return;
    this.#alive?.cancel();
    this.#outer.removeEventListener("abort", this.#onOuterAbort);
    this.#over.abort(reason);
    if (this.#leaving) return;
    this.#leaving = true;
    this.#peer?.end();
    void this.links.close();
  }

  #errorOf({ rank, problem }: Verdict): TesseraError {
    return rank === undefined
      ? this.#failure(problem)
      : new TesseraError("E_RANK_LOST", { rank, problem });
  }

  #failure(problem: string): TesseraError {
    return new TesseraError("E_RENDEZVOUS", { rendezvous: this.#rendezvous, problem });
  }
}
