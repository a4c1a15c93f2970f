import type { CommandSpec } from "../command-spec.ts";

export const agentRunCheckCommand: CommandSpec = {
  name: "agent run-check",
  summary: "run the check of the run that this container was started for",
  description:
    "The entry of the node image. TESSERA_RUN_ID and its neighbours say what to run and where the result goes; without them it ends with exit code 2. It writes its log while it runs, hands its result in by POST and as a file, and ends with 0 when either was accepted, whatever came of the check. docs/image.md describes the image.",
  examples: [
    { command: "tessera agent run-check", shows: "what the job of a run does in its container" },
  ],
  reports: false,
  load: () => import("../actions/agent-run-check.ts"),
};
