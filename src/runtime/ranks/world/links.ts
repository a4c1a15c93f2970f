import assert from "node:assert/strict";
import { z } from "zod";
import { messageOf } from "../../../platform/errors/index.ts";
import type { Clock } from "../../../platform/time/clock.ts";
import { type Address, parseAddress } from "../wire/address.ts";
import { dialReading } from "../wire/dial.ts";
import type { Admission } from "../wire/handshake.ts";
import { listenForPeers, type WireListener } from "../wire/listen.ts";
import { ReceiveLane } from "./receive-lane.ts";
import { SendLane } from "./send-lane.ts";

/** One-way connections between single ranks, made when first asked for. The receiver dials. */
export interface Links {
  receiveFrom(rank: number): Promise<ReceiveLane>;
  sendTo(rank: number): Promise<SendLane>;
}

const helloSchema = z.object({ purpose: z.literal("lane"), from: z.int().min(0), to: z.int() });

export interface LinksOptions {
  readonly rank: number;
  readonly worldSize: number;
  readonly secret: string;
  readonly clock: Clock;
  /** The interface to be reached on. */
  readonly host: string;
  /** How long a connection may take. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The links of one rank: listens for those it sends to, dials those it receives from. */
export class RankLinks implements Links {
  readonly #options: LinksOptions;
  readonly #receiving = new Map<number, Promise<ReceiveLane>>();
  readonly #sending = new Map<number, SendLane>();
  readonly #expected = new Map<number, (lane: SendLane) => void>();
  #listener: WireListener | undefined;
  #peers: readonly string[] = [];
  #closed = false;

  /** Links that can be dialled. @throws the system's error when it cannot listen on the host */
  static async open(options: LinksOptions): Promise<RankLinks> {
    const links = new RankLinks(options);
    const { secret, clock, host } = options;
    links.#listener = await listenForPeers({
      secret,
      clock,
      host,
      admit: (words) => links.#admit(words),
      onSocket: (socket, { words }) =>
        links.#accept(helloSchema.parse(words).from, new SendLane(socket)),
    });
    return links;
  }

  private constructor(options: LinksOptions) {
    this.#options = options;
  }

  /** Where the others dial. */
  get address(): Address {
    assert(this.#listener !== undefined, "links are open before anyone asks where");
    return this.#listener.address;
  }

  /** Where the others are, once that is known. */
  begin(peers: readonly string[]): void {
    this.#peers = peers;
  }

  receiveFrom(rank: number): Promise<ReceiveLane> {
    const known = this.#receiving.get(rank);
    if (known !== undefined) return known;
    const made = this.#dial(rank);
    this.#receiving.set(rank, made);
    return made;
  }

  sendTo(rank: number): Promise<SendLane> {
    const known = this.#sending.get(rank);
    if (known !== undefined) return Promise.resolve(known);
    const { clock, timeoutMs, signal } = this.#options;
    return new Promise((resolve, reject) => {
      const release = () => {
        timer.cancel();
        signal.removeEventListener("abort", onAbort);
        this.#expected.delete(rank);
      };
      const onAbort = () => {
        release();
        reject(signal.reason);
      };
      const timer = clock.setTimer(timeoutMs, () => {
        release();
        reject(new Error(`rank ${rank} did not connect in time`));
      });
      signal.addEventListener("abort", onAbort, { once: true });
      this.#expected.set(rank, (lane) => {
        release();
        resolve(lane);
      });
      if (signal.aborted) onAbort();
    });
  }

  #admit(words: unknown): Admission {
    const { rank, worldSize } = this.#options;
    const { success, data } = helloSchema.safeParse(words);
    if (!success || data.to !== rank || data.from >= worldSize) {
      return { refused: "no rank of this run" };
    }
    return this.#sending.has(data.from)
      ? { refused: `rank ${data.from} is connected already` }
      : { words: {} };
  }

  #accept(from: number, lane: SendLane): void {
    if (this.#closed) {
      lane.close();
      return;
    }
    this.#sending.set(from, lane);
    this.#expected.get(from)?.(lane);
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const lane of this.#sending.values()) lane.close();
    const receiving = await Promise.allSettled(this.#receiving.values());
    for (const made of receiving) if (made.status === "fulfilled") made.value.close();
    await this.#listener?.close();
  }

  async #dial(rank: number): Promise<ReceiveLane> {
    const { secret, clock, timeoutMs, signal } = this.#options;
    const address = parseAddress(this.#peers[rank] ?? "");
    if (address === undefined) throw new Error(`rank ${rank} has no address`);
    const lane = new ReceiveLane();
    const words = { purpose: "lane", from: this.#options.rank, to: rank };
    const { buffer, onRead } = lane;
    const how = { address, secret, words, clock, timeoutMs, signal, buffer, onRead };
    try {
      const { socket, rest } = await dialReading(how);
      lane.attach(socket, rest);
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`rank ${rank} cannot be reached: ${messageOf(error)}`, { cause: error });
    }
    return lane;
  }
}
