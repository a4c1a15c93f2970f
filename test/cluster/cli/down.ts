import { destroyCluster } from "../lifecycle/destroy.ts";
import { sweepAll } from "../registry/sweep.ts";
import type { ToolIo } from "./io.ts";
import type { CommandLine } from "./options.ts";

/** Stops a cluster, and sweeps what dead ones left. Nothing to stop is no failure. */
export async function down(line: CommandLine, io: ToolIo): Promise<void> {
  const removed = await destroyCluster(io.clock, line.name);
  const swept = await sweepAll(io.clock);
  const what = removed ? `cluster "${line.name}" is gone` : `no cluster named "${line.name}"`;
  const also = swept.length > 0 ? [`swept what was left of ${swept.join(", ")}`] : [];
  io.result({ name: line.name, removed, swept }, [what, ...also]);
}
