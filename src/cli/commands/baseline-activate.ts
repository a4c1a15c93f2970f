import type { CommandSpec } from "../command-spec.ts";

export const baselineActivateCommand: CommandSpec = {
  name: "baseline activate",
  summary: "bring a candidate into force",
  description:
    "Compares runs with this baseline from now on; the one in force before is superseded. Refused when a median is more than 2 % worse than the one in force, when it rests on too few nodes, or when its scatter has grown out of hand: a baseline that follows a fleet downhill would hide what it is there to show.",
  arguments: [{ name: "<id>", description: "its id, or a beginning of it that no other shares" }],
  options: [
    { flags: "--reason <text>", description: "why, for the audit log; required" },
    { flags: "--force", description: "activate it whatever the guard rails say" },
  ],
  examples: [
    {
      command: 'tessera baseline activate bl-3f9c21d07a54 --reason "after the driver update"',
      shows: "a candidate brought into force",
    },
  ],
  reports: false,
  load: () => import("../actions/baseline-activate.ts"),
};
