import type { CommandSpec } from "../command-spec.ts";

/** How this program starts itself as a thread of a campaign; see `createThreadWorker`. */
export const agentCampaignWorkerCommand: CommandSpec = {
  name: "agent campaign-worker",
  summary: "carry out runs of a campaign for the thread that started this one",
  examples: [],
  reports: false,
  load: () => import("../actions/agent-campaign-worker.ts"),
};
