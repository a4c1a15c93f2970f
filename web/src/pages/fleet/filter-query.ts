import type { Standing } from "../../../../src/control/api/common.ts";
import { standingOrder } from "../../ui/tone.ts";
import type { NodeUse } from "./heat/model.ts";
import { closedWords, type FleetFilter } from "./heat/select.ts";

export type FleetView = "checks" | "nodes" | "table";

export const fleetViews: readonly FleetView[] = ["checks", "nodes", "table"];

export const nodeUses: readonly NodeUse[] = ["free", "busy", "untestable", "under-test", "unseen"];

/** What the page's query says is to be seen; words nobody knows are passed over. */
export function readFilter(param: (name: string) => string | undefined): FleetFilter {
  const named = param("standing")?.split(",") ?? [];
  const use = param("use");
  return {
    standings: new Set(standingOrder.filter((standing) => named.includes(standing))),
    use: nodeUses.find((one) => one === use),
    sku: known(param("sku")),
    rack: known(param("rack")),
    closed: closedWords.find((one) => one === param("closed")),
    check: param("check"),
  };
}

/** How an address says that a rack or SKU is not known: an empty word would mean all of them. */
export const notKnown = "(not known)";

function known(word: string | undefined): string | undefined {
  return word === notKnown ? "" : word;
}

export function readView(param: (name: string) => string | undefined): FleetView {
  return fleetViews.find((view) => view === param("view")) ?? "checks";
}

/** The filter as a query has it. */
export function standingsParam(standings: ReadonlySet<Standing>): string | undefined {
  return standings.size === 0
    ? undefined
    : standingOrder.filter((one) => standings.has(one)).join(",");
}

/** With this standing shown alone, added or taken away. */
export function toggled(standings: ReadonlySet<Standing>, one: Standing): ReadonlySet<Standing> {
  const next = new Set(standings);
  if (!next.delete(one)) next.add(one);
  return next;
}

export function isFiltered(filter: FleetFilter): boolean {
  const { standings, ...others } = filter;
  return standings.size > 0 || Object.values(others).some((one) => one !== undefined);
}
