import { sightingsOn } from "../../detectors/index.ts";
import type { HardwareFault, NodeObject, Sighting } from "../../objects/index.ts";

/** What a node shows of a fault and nobody has written down yet. Pure. */
export function newSightings(
  fault: HardwareFault,
  node: NodeObject,
  nowMs: number,
): readonly Sighting[] {
  const { action } = fault.spec;
  if (action.kind !== "xid") return [];
  const known = fault.status?.sightings ?? [];
  const at = new Date(nowMs).toISOString();
  const pci = "pci" in action.gpu ? action.gpu.pci : "";
  const xids = [...new Set(action.lines.map(({ xid }) => xid))];
  const found = xids.flatMap((xid) =>
    sightingsOn(node, {
      correlationId: action.correlationId,
      xid,
      // Where a detector had something to say before, only the correlation id tells them apart.
      pci: wasQuiet(fault) ? pci : "",
    }),
  );
  const seen = new Set(known.map(({ by, what, detail }) => keyOf({ by, what, detail })));
  return found
    .filter((sighting) => {
      const key = keyOf(sighting);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    })
    .map((sighting) => ({ ...sighting, at }));
}

/** The agent says in its own words what our own detector did; once is enough. */
function keyOf({ by, what, detail }: { by: string; what: string; detail?: string | undefined }) {
  return by === "tessera" ? `${by}/${what}` : `${by}/${what}/${detail ?? ""}`;
}

function wasQuiet(fault: HardwareFault): boolean {
  const before = fault.status?.undo?.find((entry) => entry.kind === "node")?.before;
  return before !== undefined && !Object.values(before.conditions).includes("True");
}
