import { quantile } from "../../validation/classify/stats/robust.ts";
import type { SiblingsView } from "../api/nodes.ts";
import type { CohortColumn } from "./cohort-table.ts";
import { evenly } from "./evenly.ts";

/** So many others are drawn; a person reads no more in a picture. */
export const dotsMax = 256;

/** The node that is looked at; its own value counts even where the column is older. */
export interface OwnValue {
  readonly node: string;
  readonly higherIsBetter: boolean;
  /** Undefined when its newest run does not have the figure. */
  readonly median: number | undefined;
}

/** Where a node stands among all nodes of its cohort, with some of them to be drawn. */
export function siblingsView(column: CohortColumn, own: OwnValue): SiblingsView {
  const at = column.nodes.indexOf(own.node);
  const nodes = at < 0 ? column.nodes : column.nodes.toSpliced(at, 1);
  const medians = at < 0 ? column.medians : column.medians.filter((_, place) => place !== at);
  const { median: value } = own;
  const below = value === undefined ? 0 : medians.filter((one) => one < value).length;
  const above = value === undefined ? 0 : medians.filter((one) => one > value).length;
  const self = value === undefined ? [] : [{ node: own.node, median: value, isSelf: true }];
  const others = evenly(nodes.length, dotsMax).map((place) => ({
    node: nodes[place] ?? "",
    median: medians[place] ?? Number.NaN,
    isSelf: false,
  }));
  return {
    others: nodes.length,
    own: value ?? null,
    better: own.higherIsBetter ? above : below,
    worse: own.higherIsBetter ? below : above,
    median: nodes.length === 0 ? null : quantile(medians, 0.5),
    dots: [...self, ...others].toSorted((a, b) => a.median - b.median),
  };
}
