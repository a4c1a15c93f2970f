import type { CommandSpec } from "../command-spec.ts";
import { connectionOptions } from "../hw/connection-options.ts";

export const hwRevertCommand: CommandSpec = {
  name: "hw revert",
  summary: "take hardware faults back, and wait until everything is as it was",
  description:
    "Ends one fault, those of a run, or all that you may see, and waits. What somebody else changed meanwhile is left as it is and named. Exit code 1 when something is not back in time; it is then still being tried.",
  arguments: [{ name: "[id]", description: "the fault" }],
  options: [
    { flags: "--run <name>", description: "every fault of this test instead" },
    { flags: "--all", description: "every fault in force that you may see instead" },
    { flags: "--namespace <name>", description: "with --all: only of this namespace under test" },
    { flags: "--timeout <time>", description: "how long to wait; 2m" },
    ...connectionOptions,
  ],
  examples: [
    { command: "tessera hw revert xid-3fa9c0d1e2b4", shows: "one fault less" },
    { command: "tessera hw revert --all", shows: "a cluster as it was" },
  ],
  reports: false,
  load: () => import("../actions/hw-revert.ts"),
};
