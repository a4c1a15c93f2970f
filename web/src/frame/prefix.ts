/** How long after `g` a letter still belongs to it. */
const prefixMsMax = 1500;

let prefixAtMs = Number.NEGATIVE_INFINITY;

/** Remembers that a `g` was pressed, or forgets it. */
export function keepPrefix(event: Pick<KeyboardEvent, "timeStamp"> | undefined): void {
  prefixAtMs = event?.timeStamp ?? Number.NEGATIVE_INFINITY;
}

/** Whether a key belongs to a `g` before it. Whoever has keys of their own leaves this one alone. */
export function isAfterPrefix(event: Pick<KeyboardEvent, "timeStamp">): boolean {
  return event.timeStamp - prefixAtMs < prefixMsMax;
}
