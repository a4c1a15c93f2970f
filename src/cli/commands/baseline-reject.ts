import type { CommandSpec } from "../command-spec.ts";

export const baselineRejectCommand: CommandSpec = {
  name: "baseline reject",
  summary: "take a baseline out of use",
  description:
    "Rejects a candidate that is not wanted, or an active baseline that is wrong; runs are then compared with none until another is activated. Nothing is deleted.",
  arguments: [{ name: "<id>", description: "its id, or a beginning of it that no other shares" }],
  options: [{ flags: "--reason <text>", description: "why, for the audit log; required" }],
  examples: [
    {
      command: 'tessera baseline reject bl-3f9c21d07a54 --reason "learned while throttled"',
      shows: "a candidate nobody will activate by mistake",
    },
  ],
  reports: false,
  load: () => import("../actions/baseline-reject.ts"),
};
