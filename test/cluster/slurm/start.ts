import type { Clock } from "../../../src/platform/time/clock.ts";
import { waitFor } from "../machine/wait.ts";
import type { Fleet } from "../supervisor/fleet.ts";
import type { SupervisorConfig } from "../supervisor/protocol.ts";
import { startAccounting } from "./accounting.ts";
import { createSlurmContext, type SlurmContext } from "./context.ts";
import { mungeComponent, slurmctldComponent } from "./controller.ts";
import { setUpNodeNetworks } from "./network.ts";
import { nodeComponent, slurmdComponent } from "./node.ts";

/** Starts Slurm inside a cluster; resolves when every node is idle. */
export async function startSlurm(options: {
  readonly clock: Clock;
  readonly config: SupervisorConfig;
  readonly fleet: Fleet;
}): Promise<void> {
  const { clock, config, fleet } = options;
  const context = await createSlurmContext(config);
  await Promise.all([setUpNodeNetworks(context), fleet.start(mungeComponent(context))]);
  if (config.shape.slurmAccounting) await startAccounting(context, fleet);
  const nodes = context.nodes.map(async (node) => {
    await fleet.start(nodeComponent(node));
    await fleet.start(slurmdComponent(context, node));
  });
  await Promise.all([fleet.start(slurmctldComponent(context)), ...nodes]);
  const what = `${context.nodes.length} Slurm nodes to be idle`;
  await waitFor({ clock, what, timeoutMs: 180_000 }, () => allIdle(context));
}

async function allIdle({ tool, nodes }: SlurmContext): Promise<boolean> {
  const states = (await tool("sinfo", ["-h", "-N", "-p", "batch", "-o", "%T"])).trim().split("\n");
  return states.length === nodes.length && states.every((state) => state === "idle");
}
