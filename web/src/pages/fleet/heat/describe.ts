import type { HeatLayout, Spot } from "./layout.ts";
import { closedBy, codeAt, type HeatModel, nameOf, rackOf, skuOf, useOf } from "./model.ts";
import { isStale, standingOf } from "./standing-codes.ts";

/** A cell in words: for the tooltip, and for those who hear the map. */
export interface SpotWords {
  readonly node: string;
  /** One line a check, or the node's own standing. */
  readonly lines: readonly string[];
  readonly about: string;
}

export function describeSpot(model: HeatModel, layout: HeatLayout, spot: Spot): SpotWords {
  return describeNode(model, layout.order[spot.slot] ?? 0, spot.check);
}

/** A node in words, with all its checks or one. */
export function describeNode(model: HeatModel, node: number, check: number | undefined): SpotWords {
  const closed = closedBy(model, node);
  const about = [
    rackOf(model, node) === "" ? "no rack known" : `rack ${rackOf(model, node)}`,
    skuOf(model, node),
    useOf(model, node),
    ...(closed === null ? [] : [`closed by ${closed === "tessera" ? "Tessera" : "others"}`]),
  ].filter((part) => part !== "");
  const checks = check === undefined ? model.checks.map((_, at) => at) : [check];
  return {
    node: nameOf(model, node),
    lines: checks.map((at) => `${model.checks[at] ?? ""}: ${inWords(codeAt(model, node, at))}`),
    about: about.join(", "),
  };
}

/** The same as one sentence. */
export function sentenceOf({ node, lines, about }: SpotWords): string {
  return `${node}. ${lines.join(", ")}. ${about}.`;
}

function inWords(code: number): string {
  return isStale(code) ? `${standingOf(code)}, evidence too old` : standingOf(code);
}

/** Names without what all of them begin with, for labels that have little room. */
export function withoutCommonStart(names: readonly string[]): readonly string[] {
  const [first = "", ...others] = names;
  if (others.length === 0) return names;
  let length = first.length;
  for (const name of others) {
    while (length > 0 && !name.startsWith(first.slice(0, length))) length--;
  }
  // A number is not cut in two: rack-10 and rack-11 become 10 and 11.
  const start = first.slice(0, length).replace(/\d+$/, "").length;
  return names.map((name) => name.slice(start) || name);
}
