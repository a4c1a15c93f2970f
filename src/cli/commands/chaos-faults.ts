import { faultNames } from "../../chaos/fault/fault-names.ts";
import type { CommandSpec } from "../command-spec.ts";

export const chaosFaultsCommand: CommandSpec = {
  name: "chaos faults",
  summary: "list the faults that experiments can inject, or explain one",
  description:
    "Lists the catalogue of faults: what each is, what it can hit and where. With a name: its parameters, what it does in each world, how it is undone and what counts as evidence that it happened.",
  arguments: [
    {
      name: "[fault]",
      description: "one of them",
      suggestions: () => faultNames,
    },
  ],
  examples: [
    { command: "tessera chaos faults", shows: "all of them" },
    { command: "tessera chaos faults ecc_error", shows: "what can be set, and what it does where" },
  ],
  reports: false,
  load: () => import("../actions/chaos-faults.ts"),
};
