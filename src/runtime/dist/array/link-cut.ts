import { TesseraError } from "../../../platform/errors/index.ts";
import type { Health } from "../health/index.ts";
import type { Mesh } from "../mesh/index.ts";

export interface LinkCut {
  readonly health: Health;
  readonly op: string;
  readonly phase: string;
  readonly from: End;
  readonly to: End;
  readonly axes?: readonly string[];
}

interface End {
  readonly mesh: Mesh;
  readonly rank: number;
}

/** The error that both sides of a cut link see. What is in force is told that it was met. */
export function linkCut({
  health,
  op,
  phase,
  from,
  to,
  axes,
}: LinkCut): TesseraError<"E_PARTITION"> {
  const [source, target] = [from.mesh.deviceOf(from.rank), to.mesh.deviceOf(to.rank)];
  const text = `nothing gets from device ${source} to device ${target}`;
  const met = { kind: "cut", from: source, to: target, mesh: from.mesh } as const;
  health.note(met, { op, what: "failed", text });
  return new TesseraError("E_PARTITION", {
    op,
    from: source,
    to: target,
    fromRank: from.rank,
    toRank: to.rank,
    phase,
    ranks: [from.rank, to.rank],
    ...(axes === undefined ? {} : { axes }),
  });
}
