import type { CommandSpec } from "../command-spec.ts";
import { connectionOptions } from "../hw/connection-options.ts";

export const hwListCommand: CommandSpec = {
  name: "hw list",
  summary: "show the hardware faults that are in force",
  options: [
    { flags: "--all", description: "also those that are over; they are kept for a day" },
    { flags: "--namespace <name>", description: "only those of this namespace under test" },
    { flags: "--run <name>", description: "only those of this test" },
    ...connectionOptions,
  ],
  examples: [
    { command: "tessera hw list", shows: "what is broken on purpose just now, and until when" },
    { command: "tessera hw list --all --json", shows: "all of the last day, with what saw them" },
  ],
  reports: false,
  load: () => import("../actions/hw-list.ts"),
};
