import type { ToHostWorker, WorkerOrder } from "../control/messages.ts";

/** Orders that hold for whoever works in a slot, not only for who is there now. */
function lasts(order: WorkerOrder): boolean {
  if (order.kind === "device") return order.mode === "hang";
  return ["straggle", "slow-files", "full-files", "watch-room"].includes(order.kind);
}

/** What workers were ordered to break, by slot. */
export class OrderBook {
  readonly #lasting = new Map<
    string,
    { readonly slots: Set<number>; readonly order: WorkerOrder }
  >();
  readonly #told = new Map<string, Set<number>>();
  readonly #send: (slot: number, message: ToHostWorker) => void;

  constructor(send: (slot: number, message: ToHostWorker) => void) {
    this.#send = send;
  }

  begin(slot: number, injection: string, order: WorkerOrder): void {
    const told = this.#told.get(injection) ?? new Set();
    this.#told.set(injection, told.add(slot));
    if (lasts(order)) {
      const slots = this.#lasting.get(injection)?.slots ?? new Set();
      this.#lasting.set(injection, { slots: slots.add(slot), order });
    }
    this.#send(slot, { type: "order", injection, order });
  }

  end(injection: string): void {
    this.#lasting.delete(injection);
    for (const slot of this.#told.get(injection) ?? [])
      this.#send(slot, { type: "end", injection });
    this.#told.delete(injection);
  }

  /** A new worker is there. */
  tell(slot: number): void {
    for (const [injection, { slots, order }] of this.#lasting) {
      if (slots.has(slot)) this.#send(slot, { type: "order", injection, order });
    }
  }
}
