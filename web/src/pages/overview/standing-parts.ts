import type { ClusterOverviewView } from "../../../../src/control/api/overview.ts";
import { standingOrder, standingSigns, type Tone } from "../../ui/tone.ts";

interface StandingPart {
  readonly label: string;
  readonly value: number;
  readonly tone: Tone;
  readonly letter: string;
  readonly hatched?: boolean;
}

/** The nodes of a cluster by standing; a pass that not every check backs with fresh evidence stands apart. */
export function standingParts(
  nodes: Pick<ClusterOverviewView["nodes"], "byStanding" | "passStale">,
): readonly StandingPart[] {
  const plain = standingOrder.map((standing): StandingPart => {
    const { word, tone, letter } = standingSigns[standing];
    const value = nodes.byStanding[standing] - (standing === "pass" ? nodes.passStale : 0);
    return { label: word, value, tone, letter };
  });
  const { tone, letter } = standingSigns.pass;
  const stale = { label: "pass on old or missing evidence", value: nodes.passStale, tone, letter };
  return [...plain, { ...stale, hatched: true }];
}
