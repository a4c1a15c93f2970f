/** Something that happens at a time. */
interface Timed {
  readonly t: number;
}

/** Hands out what is earliest; of the same time, what came first. */
export class EventHeap<T extends Timed> {
  readonly #items: { readonly event: T; readonly order: number }[] = [];
  #pushed = 0;

  push(event: T): void {
    const items = this.#items;
    items.push({ event, order: this.#pushed++ });
    for (let at = items.length - 1; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!this.#isBefore(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): T | undefined {
    const items = this.#items;
    if (items.length === 0) return undefined;
    this.#swap(0, items.length - 1);
    const first = items.pop();
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      if (left >= items.length) break;
      const right = left + 1;
      const child = right < items.length && this.#isBefore(right, left) ? right : left;
      if (!this.#isBefore(child, at)) break;
      this.#swap(at, child);
      at = child;
    }
    return first?.event;
  }

  #isBefore(a: number, b: number): boolean {
    const left = this.#items[a];
    const right = this.#items[b];
    if (left === undefined || right === undefined) return false;
    return left.event.t === right.event.t ? left.order < right.order : left.event.t < right.event.t;
  }

  #swap(a: number, b: number): void {
    const left = this.#items[a];
    const right = this.#items[b];
    if (left === undefined || right === undefined) return;
    this.#items[a] = right;
    this.#items[b] = left;
  }
}
