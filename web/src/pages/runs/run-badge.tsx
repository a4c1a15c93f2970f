import type { RunRow } from "../../../../src/control/api/runs.ts";
import { Badge, StandingBadge, StateBadge } from "../../ui/index.ts";
import { isUnjudged } from "./run-facts.ts";

/** How a run stands: its verdict; without one what it is doing, or that nobody has judged it. */
export function RunBadge({ run }: { readonly run: RunRow }) {
  if (run.verdict !== null) return <StandingBadge standing={run.verdict} />;
  if (!isUnjudged(run)) return <StateBadge state={run.outcome ?? run.state} />;
  return (
    <Badge tone="unknown" sign="?" title="It completed; what it found has not been judged.">
      not judged yet
    </Badge>
  );
}
