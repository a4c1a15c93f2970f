import { formatShape, sameShape } from "../../../tensor/shape.ts";
import { localShape } from "../local-slices.ts";
import { checkCoverage } from "./coverage.ts";
import { type Findings, nameRank, type ShardingError } from "./finding.ts";
import type { LocalFacts, ShardingView } from "./view.ts";

/** Judges what the ranks hold against what the layout gives them. */
export function checkLocals(
  view: ShardingView,
  locals: LocalFacts,
  findings: Findings<ShardingError>,
): void {
  const { mesh, shape, layout, dtype } = view;
  const deviants = new Map<number, readonly number[]>();
  for (let rank = 0; rank < mesh.size; rank++) {
    const actual = locals.shape(rank);
    const due = localShape(layout, { mesh, shape, rank });
    const who = nameRank(mesh, rank);
    const found = locals.dtype(rank);
    if (found !== dtype) {
      const message = `The tensor is ${dtype}, and ${who} holds ${found}.`;
      findings.add({ code: "metadata", rank, message });
    }
    if (sameShape(actual, due)) continue;
    deviants.set(rank, actual);
    if (actual.length === shape.length) {
      const message = `The part of ${who} is ${formatShape(due)}, and it holds ${formatShape(actual)}.`;
      findings.add({ code: "wrong-shape", rank, message });
    } else {
      const message = `The tensor has ${shape.length} dimensions, and ${who} holds ${formatShape(actual)}.`;
      findings.add({ code: "metadata", rank, message });
    }
  }
  checkCoverage({ mesh, shape, layout, deviants }, findings);
  checkReplicas(view, locals, findings);
}

/** Compares the copies of each part; the bits that most of them have are taken for right. */
function checkReplicas(
  { mesh, layout }: ShardingView,
  locals: LocalFacts,
  findings: Findings<ShardingError>,
): void {
  const copied = layout.axesWith("replicate").filter((axis) => (mesh.shape[axis] ?? 1) > 1);
  if (locals.digest === undefined || copied.length === 0) return;
  for (const copies of mesh.groups(copied.map((axis) => mesh.axes[axis] ?? ""))) {
    const ranksByDigest = new Map<string, number[]>();
    for (const rank of copies) {
      const digest = locals.digest(rank);
      if (digest === undefined) continue;
      ranksByDigest.set(digest, [...(ranksByDigest.get(digest) ?? []), rank]);
    }
    if (ranksByDigest.size < 2) continue;
    // The sort is stable: of equally many, the copy of the lowest rank leads.
    const [most = [], ...others] = [...ranksByDigest.values()].toSorted(
      (a, b) => b.length - a.length,
    );
    const tied = others.some((ranks) => ranks.length === most.length);
    for (const rank of others.flat().toSorted((a, b) => a - b)) {
      const rest = tied
        ? `${nameRank(mesh, most[0] ?? 0)}; no majority tells which is right`
        : `the ${most.length} copies that agree, such as that of ${nameRank(mesh, most[0] ?? 0)}`;
      const message = `The copy of ${nameRank(mesh, rank)} differs in bits from ${rest}.`;
      findings.add({ code: "replica-mismatch", rank, message });
    }
  }
}
