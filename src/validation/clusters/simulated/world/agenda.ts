import { EventHeap } from "../../../fleet-log/event-heap.ts";

interface Entry {
  readonly t: number;
  readonly act: () => void;
}

/** What is to happen, by simulated time. */
export class Agenda {
  readonly #heap = new EventHeap<Entry>();
  /** The earliest entry, taken out so that its time can be read. */
  #next: Entry | undefined;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** When the next thing happens; undefined when nothing will. */
  get nextMs(): number | undefined {
    return this.#next?.t;
  }

  add(atMs: number, act: () => void): void {
    this.#size++;
    const entry = { t: atMs, act };
    if (this.#next === undefined) this.#next = entry;
    else if (atMs < this.#next.t) {
      this.#heap.push(this.#next);
      this.#next = entry;
    } else this.#heap.push(entry);
  }

  /** Takes out the next thing to happen. */
  take(): Entry | undefined {
    const entry = this.#next;
    if (entry === undefined) return undefined;
    this.#next = this.#heap.pop();
    this.#size--;
    return entry;
  }
}
