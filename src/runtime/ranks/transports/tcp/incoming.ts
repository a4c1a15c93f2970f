import type { WireArray } from "../../measure/wire-dtype.ts";
import type { WireDType } from "../../ranks.ts";
import type { Sink } from "../../world/receive-lane.ts";
import { addInto } from "./add.ts";
import { type FrameHead, headBytes, headProblem } from "./frame-head.ts";
import type { Arrival } from "./schedule.ts";

/** A rank's buffers, as bytes and as elements. */
export interface Buffers {
  readonly dtype: WireDType;
  readonly width: number;
  readonly own: { readonly bytes: Uint8Array; readonly elements: WireArray };
  readonly out: { readonly bytes: Uint8Array; readonly elements: WireArray };
  /** Holds one piece that is to be added. */
  readonly received: { readonly bytes: Uint8Array; readonly elements: WireArray };
}

export interface IncomingOptions {
  readonly buffers: Buffers;
  readonly arrivals: readonly Arrival[];
  readonly head: FrameHead;
  readonly onArrival: (arrival: Arrival) => void;
  readonly onProgress: () => void;
  /** Told when the head is not the one expected; nothing more is read then. */
  readonly onProblem: (problem: string) => void;
}

/** What one rank receives from another in one operation: a head, then arrivals in order. */
export class Incoming implements Sink {
  readonly #options: IncomingOptions;
  readonly #head = new Uint8Array(headBytes);
  #headBytes = 0;
  #index = 0;
  /** Bytes of the current arrival that are here. */
  #filled = 0;
  #broken = false;

  constructor(options: IncomingOptions) {
    this.#options = options;
  }

  target(): Uint8Array | undefined {
    if (this.#broken) return undefined;
    if (this.#headBytes < headBytes) return this.#head.subarray(this.#headBytes);
    const { arrivals, buffers } = this.#options;
    const arrival = arrivals[this.#index];
    if (arrival === undefined) return undefined;
    const { width } = buffers;
    const end = arrival.count * width;
    if (arrival.how === "add") return buffers.received.bytes.subarray(this.#filled, end);
    const start = arrival.at * width;
    return buffers.out.bytes.subarray(start + this.#filled, start + end);
  }

  filled(sizeBytes: number): void {
    this.#options.onProgress();
    if (this.#headBytes < headBytes) {
      this.#headBytes += sizeBytes;
      if (this.#headBytes === headBytes) this.#checkHead();
      return;
    }
    const { arrivals, buffers, onArrival } = this.#options;
    const arrival = arrivals[this.#index];
    if (arrival === undefined) return;
    this.#filled += sizeBytes;
    if (this.#filled < arrival.count * buffers.width) return;
    this.#filled = 0;
    this.#index += 1;
    if (arrival.how === "add") this.#add(arrival);
    onArrival(arrival);
  }

  #add({ at, count }: Arrival): void {
    const { dtype, own, received, out } = this.#options.buffers;
    const elements = { own: own.elements, received: received.elements, out: out.elements };
    addInto(dtype, { ...elements, at, count });
  }

  #checkHead(): void {
    const problem = headProblem(this.#head, this.#options.head);
    if (problem === undefined) return;
    this.#broken = true;
    this.#options.onProblem(problem);
  }
}
