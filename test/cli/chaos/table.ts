import { agentCampaignWorkerCommand } from "../../../src/cli/commands/agent-campaign-worker.ts";
import { chaosCampaignCommand } from "../../../src/cli/commands/chaos-campaign.ts";
import { chaosMinimizeCommand } from "../../../src/cli/commands/chaos-minimize.ts";
import { chaosReplayCommand } from "../../../src/cli/commands/chaos-replay.ts";
import { chaosRunCommand } from "../../../src/cli/commands/chaos-run.ts";
import type { CommandTable } from "../../../src/cli/program.ts";
import { type Outcome, runHere } from "../in-process.ts";

const table: CommandTable = {
  specs: [chaosCampaignCommand, chaosMinimizeCommand, chaosReplayCommand, chaosRunCommand],
  internal: [agentCampaignWorkerCommand],
  groups: { chaos: "break jobs on purpose", agent: "what runs on a node" },
};

/** `tessera chaos …` in this process. */
export function runChaos(...args: readonly string[]): Promise<Outcome> {
  return runHere(["chaos", ...args], { table });
}

export function runAgent(...args: readonly string[]): Promise<Outcome> {
  return runHere(["agent", ...args], { table });
}
