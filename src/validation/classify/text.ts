/** A number with its unit, as people write it: `46.4 GB/s`. */
export function amount(value: number, unit: string | undefined): string {
  const shown = Number(value.toPrecision(4));
  return unit === undefined ? String(shown) : `${shown} ${unit}`;
}

/** A share as a percentage with two digits: `3.4 %`. */
export function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`;
}

/** `1 run`, `3 runs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
