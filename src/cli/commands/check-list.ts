import type { CommandSpec } from "../command-spec.ts";

export const checkListCommand: CommandSpec = {
  name: "check list",
  summary: "list the checks and say which can run on this machine",
  examples: [
    { command: "tessera check list", shows: "what can run here, and why the rest cannot" },
    { command: "tessera check list --json", shows: "with figures and sensitivities" },
  ],
  reports: false,
  load: () => import("../actions/check-list.ts"),
};
