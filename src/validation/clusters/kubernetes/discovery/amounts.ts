import { quantityToInteger } from "../../../../platform/kube/index.ts";
import type { ResourceList } from "../objects.ts";

/** Amounts by resource: cpu in millicores, memory in bytes, devices in pieces. */
export type Amounts = Readonly<Record<string, number>>;

/** Which resources are looked at. */
export type Relevant = (resource: string) => boolean;

/** Reads the relevant amounts of a list. What is no quantity counts as nothing. */
export function amountsOf(list: ResourceList | undefined, relevant: Relevant): Amounts {
  if (list === undefined) return none;
  const amounts: Record<string, number> = {};
  for (const name in list) {
    if (relevant(name)) amounts[name] = amountOf(name, list[name]);
  }
  return amounts;
}

/** A single amount in the unit of its resource. */
export function amountOf(resource: string, quantity: string | number | undefined): number {
  if (quantity === undefined) return 0;
  const unit = resource === "cpu" ? "m" : "1";
  return quantityToInteger(String(quantity), unit) ?? 0;
}

export const none: Amounts = {};

export function sum(one: Amounts, other: Amounts): Amounts {
  return combine(one, other, (a, b) => a + b);
}

/** The larger of each. */
export function largest(one: Amounts, other: Amounts): Amounts {
  return combine(one, other, Math.max);
}

function combine(one: Amounts, other: Amounts, join: (a: number, b: number) => number): Amounts {
  if (isEmpty(one)) return other;
  if (isEmpty(other)) return one;
  const joined: Record<string, number> = { ...one };
  for (const name in other) joined[name] = join(joined[name] ?? 0, other[name] ?? 0);
  return joined;
}

function isEmpty(amounts: Amounts): boolean {
  for (const _ in amounts) return false;
  return true;
}
