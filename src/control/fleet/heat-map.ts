import type { Provenance } from "../../platform/words.ts";
import type { Standing } from "../api/common.ts";
import { type HeatMapView, type NodeRow, standingLetters, useLetters } from "../api/nodes.ts";
import type { ClusterSnapshot } from "./cluster-snapshot.ts";

/** A whole cluster in columns. */
export function heatMapOf(
  snapshot: Pick<ClusterSnapshot, "name" | "atMs" | "checks" | "rows">,
  provenance: Provenance,
): HeatMapView {
  const { name, atMs, checks, rows } = snapshot;
  const racks = new Places();
  const skus = new Places();
  return {
    cluster: name,
    provenance,
    at: new Date(atMs).toISOString(),
    checks: [...checks],
    names: rows.map((row) => row.name),
    rackOf: rows.map(({ rack }) => racks.of(rack)),
    racks: racks.names,
    skuOf: rows.map(({ sku }) => skus.of(sku)),
    skus: skus.names,
    uses: rows.map(({ use }) => useLetters[use]).join(""),
    closed: rows.map(closedLetter).join(""),
    standings: rows.map((row) => letterOf(row.standing, isHatched(row))).join(""),
    cells: checks.map((_, at) =>
      rows
        .map(({ checks: own }) => {
          const cell = own[at];
          return cell === undefined ? "-" : letterOf(cell.standing, cell.isStale);
        })
        .join(""),
    ),
  };
}

/** Names once each, in the order they came. */
class Places {
  readonly names: string[] = [];
  readonly #places = new Map<string, number>();

  of(name: string): number {
    const known = this.#places.get(name);
    if (known !== undefined) return known;
    this.#places.set(name, this.names.length);
    return this.names.push(name) - 1;
  }
}

function letterOf(standing: Standing, isOld: boolean): string {
  const letter = standingLetters[standing];
  return isOld ? letter.toUpperCase() : letter;
}

/**
 * Whether a standing is less than it looks. A pass speaks for every check, so one that is old or was never
 * run is enough; anything worse is known from a single check, and is in doubt only when all of them are old.
 */
function isHatched({ standing, isCovered, checks }: NodeRow): boolean {
  if (standing === "pass") return !isCovered;
  return !isCovered && checks.every(({ isStale }) => isStale);
}

function closedLetter({ closedBy }: NodeRow): string {
  if (closedBy === null) return "-";
  return closedBy === "tessera" ? "t" : "o";
}
