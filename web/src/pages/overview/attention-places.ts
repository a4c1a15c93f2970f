import type { AttentionView, OverviewView } from "../../../../src/control/api/overview.ts";
import { pathOf } from "../../route-match.ts";

/** Things that the answer does not name, and the page that shows them. */
export interface Unlisted {
  readonly count: number;
  /** The words of the link. */
  readonly where: string;
  readonly link: string;
}

type Count = OverviewView["attentionCounts"][number];

/** What of the counted things is not among the named, by the page that shows it. */
export function placesOf(
  counts: readonly Count[],
  named: readonly Pick<AttentionView, "cluster" | "provenance">[],
): readonly Unlisted[] {
  const places = new Map<string, Unlisted>();
  for (const of of counts) {
    const listed = named.filter(
      ({ cluster, provenance }) => cluster === of.cluster && provenance === of.provenance,
    );
    const count = of.total - listed.length;
    if (count <= 0) continue;
    const place = placeOf(of);
    const before = places.get(place.link)?.count ?? 0;
    places.set(place.link, { ...place, count: before + count });
  }
  return [...places.values()];
}

function placeOf({ kind, cluster }: Pick<Count, "kind" | "cluster">): Omit<Unlisted, "count"> {
  const fleet = cluster === null ? "/fleet" : pathOf("fleet", cluster);
  const where = cluster ?? "the fleet";
  switch (kind) {
    case "failed-node":
      return { where, link: `${fleet}?view=table&standing=fail` };
    case "suspect-node":
      return { where, link: `${fleet}?view=table&standing=suspect` };
    case "held-node":
      return { where, link: `${fleet}?closed=by-tessera` };
    case "breaker":
      return { where, link: `${fleet}?standing=fail` };
    case "incident":
    case "cluster-trouble":
      return { where, link: fleet };
    case "baseline":
      return { where: "the baselines", link: "/baselines?state=candidate" };
    case "fault-left":
    case "fault-api":
      return { where: "the hardware faults", link: "/faults" };
    case "doctor":
      return { where: "this machine", link: "/machine" };
  }
}
