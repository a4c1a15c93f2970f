import type { Clock } from "../../../platform/time/index.ts";
import { formatDurationMs } from "../../../platform/units/index.ts";
import type { World } from "../../../runtime/ranks/index.ts";
import { allocateRaw } from "../../../runtime/tensor/dtype/index.ts";
import { Tensor } from "../../../runtime/tensor/index.ts";
import type { ParallelAxis, StepLinks } from "../../../runtime/training/links/step-links.ts";
import type { JobShape } from "../../elastic/index.ts";
import { corruptGradients } from "../../numerics/corrupt.ts";
import type { Exchange, ExchangeBook } from "./exchange-book.ts";
import { planRankOf } from "./rank-order.ts";
import type { Tripwires } from "./tripwires.ts";
import type { WorkerFaults } from "./worker-faults.ts";

export interface BrokenLinksOptions {
  readonly links: StepLinks;
  readonly world: World;
  readonly shape: JobShape;
  readonly clock: Clock;
  /** How long this rank may be in one exchange. */
  readonly stallMs: number;
  readonly wires: Tripwires;
  readonly faults: WorkerFaults;
  readonly book: ExchangeBook;
  readonly counts: CollectiveCounts;
  readonly dtype: "f32" | "f64" | "bf16" | "f16";
  /** Of those who plant the defect of ranks that are ignored: half of the timeout is over; null: of nobody. */
  readonly onHalfTime: ((key: string, nth: number) => void) | null;
}

/** Exchanges along each axis that processes of this slot have entered, over the whole run. */
export interface CollectiveCounts {
  dp: number;
  tp: number;
  pp: number;
}

/** The links of a rank as this worker's faults and tripwires leave them, and the time between exchanges. */
export class BrokenLinks implements StepLinks {
  readonly place: StepLinks["place"];
  readonly #o: BrokenLinksOptions;
  #leftMs: number;
  #computeMs = 0;

  constructor(options: BrokenLinksOptions) {
    this.#o = options;
    this.place = options.links.place;
    this.#leftMs = options.clock.monotonicMs();
  }

  /** Computing since it was last asked. */
  takeComputeMs(): number {
    this.#account();
    const taken = this.#computeMs;
    this.#computeMs = 0;
    return taken;
  }

  async allReduce(
    tensor: Tensor,
    call: { readonly over: readonly ParallelAxis[]; readonly name: string },
  ): Promise<Tensor> {
    const { links } = this.#o;
    const [axis, ...more] = call.over;
    await this.#before(more.length === 0 ? axis : undefined);
    const handedIn = call.name.startsWith("gradients")
      ? this.#gradients(tensor, call.over)
      : tensor;
    const members = this.#groupOver(call.over);
    const exchange = { key: `${call.over.join("+")} ${members.join(" ")}`, members };
    return this.#within(exchange, call.name, () => links.allReduce(handedIn, call));
  }

  async send(
    tensor: Tensor,
    call: { readonly stage: number; readonly name: string },
  ): Promise<void> {
    const { links, book } = this.#o;
    await this.#before("pp");
    const members = [this.#rankAt({}), this.#rankAt({ pp: call.stage })];
    const exchange = { key: `pp ${members.join(">")}`, members, isBackground: true };
    // Not waited for here: the time that it takes is not this rank's own.
    await book.within(exchange, () => links.send(tensor, call));
  }

  async recv(call: { readonly stage: number; readonly name: string }): Promise<Tensor> {
    const { links } = this.#o;
    await this.#before("pp");
    const members = [this.#rankAt({ pp: call.stage }), this.#rankAt({})];
    const exchange = { key: `pp ${members.join(">")}`, members };
    return this.#within(exchange, call.name, () => links.recv(call));
  }

  computed(op: string, tensor: Tensor): Tensor {
    return this.#o.links.computed(op, tensor);
  }

  shared<T extends object>(what: string, inputs: readonly object[], make: () => T): T {
    return this.#o.links.shared(what, inputs, make);
  }

  async #before(axis: ParallelAxis | undefined): Promise<void> {
    const { faults, wires, counts } = this.#o;
    const ownMs = this.#account();
    const factor = faults.straggleFactor();
    if (factor > 1) {
      faults.burn((factor - 1) * ownMs);
      this.#account();
    }
    await faults.operate();
    if (axis !== undefined) {
      counts[axis] += 1;
      await wires.pass({ kind: "collective", axis, nth: counts[axis] });
    }
    this.#leftMs = this.#o.clock.monotonicMs();
  }

  async #within<T>(exchange: Exchange, name: string, work: () => Promise<T>): Promise<T> {
    const { book, clock, world, stallMs, onHalfTime } = this.#o;
    const { key } = exchange;
    const half =
      onHalfTime !== null && key.startsWith("dp")
        ? clock.setTimer(stallMs / 2, () => onHalfTime(key, book.enteredOf(key)))
        : undefined;
    // Some bytes may still come now and then: the limit is for all of it, not for what is between two of them.
    const limit = clock.setTimer(stallMs, () => {
      const waited = `rank ${this.#rankAt({})} waited ${formatDurationMs(stallMs)}`;
      world.stalled(`${waited} in the exchange of ${name}`);
    });
    try {
      return await book.within(exchange, work);
    } finally {
      limit.cancel();
      half?.cancel();
      this.#leftMs = clock.monotonicMs();
    }
  }

  /** Adds what was computed since the last exchange, and says how long it was. */
  #account(): number {
    const nowMs = this.#o.clock.monotonicMs();
    const ownMs = nowMs - this.#leftMs;
    this.#computeMs += ownMs;
    this.#leftMs = nowMs;
    return ownMs;
  }

  /** What this rank adds to a sum: wrong bits, if it was ordered so; nothing, if the others ignore it. */
  #gradients(tensor: Tensor, over: readonly ParallelAxis[]): Tensor {
    if (!over.includes("dp") || !this.#o.book.isPassedOver) return this.#corrupted(tensor);
    const { dtype, shape, size } = tensor;
    return Tensor.over(allocateRaw(dtype, size), { dtype, shape });
  }

  #corrupted(tensor: Tensor): Tensor {
    const { faults, dtype } = this.#o;
    let wrong = tensor;
    for (const [injection, bits] of faults.corruptions("gradient")) {
      const before = wrong.digest();
      wrong = corruptGradients(wrong, dtype, bits);
      const after = wrong.digest();
      if (after === before) continue;
      faults.seen(injection, `the gradients that were handed in are ${after}, not ${before}`);
    }
    return wrong;
  }

  #groupOver(axes: readonly ParallelAxis[]): readonly number[] {
    const { shape } = this.#o;
    let ranks = [this.#rankAt({})];
    for (const axis of axes) {
      const along = Array.from({ length: shape[axis] }, (_, at) => at);
      ranks = ranks.flatMap((rank) => along.map((at) => this.#rankAt({ [axis]: at }, rank)));
    }
    return [...new Set(ranks)].toSorted((a, b) => a - b);
  }

  /** The rank of the plan that is elsewhere on some axes than another one, or than this one. */
  #rankAt(where: Partial<Record<ParallelAxis, number>>, from?: number): number {
    const { shape } = this.#o;
    const { dp, tp, pp } = this.place;
    const own =
      from === undefined
        ? { dp: dp.index, tp: tp.index, pp: pp.index }
        : {
            dp: Math.floor(from / (shape.tp * shape.pp)),
            pp: Math.floor(from / shape.tp) % shape.pp,
            tp: from % shape.tp,
          };
    const at = { ...own, ...where };
    return planRankOf((at.dp * shape.tp + at.tp) * shape.pp + at.pp, shape);
  }
}
