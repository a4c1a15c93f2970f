import type { Store } from "../../platform/store/index.ts";
import { settle } from "../../platform/time/settle.ts";
import { worstVerdict } from "../../platform/words.ts";
import type { AssembledLoop } from "../../validation/assemble/index.ts";
import type { ClusterNode, ClusterView } from "../../validation/clusters/cluster.ts";
import type { History } from "../../validation/history/index.ts";
import type { LoopStatus } from "../../validation/loop/index.ts";
import { isStale } from "../../validation/prioritize/index.ts";
import { nodesFromView, type ReportNode } from "../../validation/report/index.ts";
import type { OpenRun } from "../../validation/run.ts";
import type { Standing } from "../api/common.ts";
import type { NodeRow } from "../api/nodes.ts";
import { DeedMemory } from "./deed-memory.ts";
import { NameOrder } from "./name-order.ts";
import { type CheckStanding, untested } from "./standing.ts";
import { Standings } from "./standings.ts";

/** A cluster as it was at one moment. Everything that lists nodes is answered from one of these. */
export interface ClusterSnapshot {
  readonly name: string;
  /** In the cluster's time. */
  readonly atMs: number;
  /** The checks each node should have. */
  readonly checks: readonly string[];
  /** Each node once, by name. */
  readonly rows: readonly NodeRow[];
  readonly view: ClusterView;
  readonly status: LoopStatus;
  readonly open: readonly OpenRun[];
  readonly standings: Pick<Standings, "get">;
  readonly deeds: Pick<DeedMemory, "get" | "entries">;
}

const dayMs = 86_400_000;
/** So many rows are made at once; then others get a turn. */
const rowsAtOnce = 1000;

/** Reads snapshots of one cluster; remembers what it has read, so that the next costs less. */
export class SnapshotReader {
  readonly #assembled: AssembledLoop;
  readonly #history: History;
  readonly #standings: Standings;
  readonly #deeds: DeedMemory;
  readonly #order = new NameOrder();

  constructor(assembled: AssembledLoop, { history, store }: { history: History; store: Store }) {
    const { name } = assembled.entry;
    this.#assembled = assembled;
    this.#history = history;
    this.#standings = new Standings(store, name);
    this.#deeds = new DeedMemory(history, name);
  }

  async read(): Promise<ClusterSnapshot> {
    const { entry, opened, settings, loop } = this.#assembled;
    const { cluster } = opened;
    const available = new Set(cluster.checks.available);
    const checks = settings.checks.map(({ name }) => name).filter((name) => available.has(name));
    await this.#standings.refresh(checks);
    await this.#deeds.refresh();
    const open = await this.#history.openRuns(entry.name);
    const view = cluster.view();
    const atMs = cluster.clock.nowMs();
    const known = new Map(view.nodes.map((node) => [node.name, node]));
    const nodes = this.#order.sort(
      [...nodesFromView(view, open), ...this.#gone(checks, known, atMs)],
      ({ name }) => name,
    );
    const rows: NodeRow[] = [];
    for (const node of nodes) {
      rows.push(this.#row(node, known.get(node.name), { checks, atMs }));
      if (rows.length % rowsAtOnce === 0) await settle();
    }
    const { name } = entry;
    const status = loop.status();
    const standings = this.#standings;
    return { name, atMs, checks, rows, view, status, open, standings, deeds: this.#deeds };
  }

  /** Nodes that were tested lately and are no longer there; all, when nothing is seen at all. */
  #gone(
    checks: readonly string[],
    known: ReadonlyMap<string, ClusterNode>,
    atMs: number,
  ): readonly ReportNode[] {
    const fromMs = atMs - this.#assembled.settings.staleAfterDays * dayMs;
    const isBlind = known.size === 0;
    const names = new Set<string>();
    for (const check of checks) {
      for (const node of this.#standings.nodesOf(check)) {
        if (known.has(node)) continue;
        if (isBlind || (this.#standings.get(node, check)?.atMs ?? 0) >= fromMs) names.add(node);
      }
    }
    const state = isBlind ? ("unseen" as const) : ("untestable" as const);
    const why = isBlind ? "the cluster has not been seen yet" : "it is no longer in the cluster";
    return [...names].map((name) => ({ name, sku: "unknown", rack: "", state, why }));
  }

  #row(
    node: ReportNode,
    seen: ClusterNode | undefined,
    { checks, atMs }: { readonly checks: readonly string[]; readonly atMs: number },
  ): NodeRow {
    const { entry, settings } = this.#assembled;
    const own = checks.map((check) => this.#standings.get(node.name, check) ?? untested);
    const shown = checks.map((check, at) => {
      const { standing, completedAtMs } = own[at] ?? untested;
      const ageDays = ageOf(completedAtMs, atMs);
      const isOld = ageDays === null || isStale(ageDays, settings.staleAfterDays);
      return { check, standing, ageDays, isStale: isOld };
    });
    const { standing, reason } = summed(checks, own);
    return {
      cluster: entry.name,
      name: node.name,
      sku: node.sku,
      rack: node.rack,
      standing,
      reason: standing === "untested" ? notTested(node) : reason,
      use: node.state,
      useReason: node.why,
      closedBy: this.#closedBy(node.name, seen),
      isCovered: shown.length > 0 && shown.every((check) => !check.isStale),
      checks: shown,
    };
  }

  #closedBy(name: string, seen: ClusterNode | undefined): NodeRow["closedBy"] {
    if (seen?.cordoned !== true) return null;
    const deeds = this.#deeds.get(name);
    const isOurs =
      seen.awaitsAcceptance || deeds?.cordoned !== undefined || deeds?.override?.action === "hold";
    return isOurs ? "tessera" : "other";
  }
}

/** In days to a thousandth, so that lists stay short. */
export function ageOf(completedAtMs: number | undefined, atMs: number): number | null {
  if (completedAtMs === undefined) return null;
  return Math.max(0, Math.round((1000 * (atMs - completedAtMs)) / dayMs) / 1000);
}

/** The worst of what the checks say, with the sentence of the one that says so. */
function summed(
  checks: readonly string[],
  own: readonly CheckStanding[],
): { readonly standing: Standing; readonly reason: string } {
  const said = own.flatMap(({ standing }) => (standing === "untested" ? [] : [standing]));
  if (said.length === 0) return { standing: "untested", reason: "" };
  const standing = worstVerdict(said);
  const at = own.findIndex((one) => one.standing === standing);
  const missing = own.length - said.length;
  const rest = missing === 0 ? "" : ` ${missing} of ${own.length} checks have not been run.`;
  return { standing, reason: `${checks[at]}: ${own[at]?.reason ?? ""}${rest}` };
}

function notTested({ state, why }: ReportNode): string {
  const because = why === "" ? "" : `: ${why}`;
  switch (state) {
    case "busy":
      return `Not tested yet; busy with users' jobs${because}`;
    case "untestable":
      return `Not tested yet; cannot be tested${because}`;
    case "under-test":
      return "Its first run is under way";
    case "free":
    case "unseen":
      return `Not tested yet${because}`;
  }
}
