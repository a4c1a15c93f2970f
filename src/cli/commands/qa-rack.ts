import type { CommandSpec } from "../command-spec.ts";
import { qaMeasuredOptions, qaOptions } from "../qa/qa-options.ts";

export const qaRackCommand: CommandSpec = {
  name: "qa rack",
  summary: "validate layouts, reductions, parallelism and bandwidth on 72 simulated devices",
  description:
    "Runs what chapter 3 of the guide asks of a rack of 72 GPUs, on simulated devices whose every byte is computed: ragged shards, collectives, sums with the same bits in every arrangement, tensor, pipeline and data parallelism against one device, modelled bandwidth, lost devices. With --measured, collectives also run between real processes of this host, their GPUs or TCP, every element is checked, and measured times stand beside modelled ones. Exit code 0 when all is well, 1 when something failed, 3 when something could not be decided.",
  options: [...qaOptions, ...qaMeasuredOptions],
  examples: [
    { command: "tessera qa rack", shows: "the whole suite" },
    { command: "tessera qa rack --json --seed 7", shows: "with other values, for programs" },
    {
      command: "tessera qa rack --measured --ranks 4",
      shows: "also collectives between real ranks of this host, measured beside the model",
    },
    { command: "tessera qa rack --corrupt 17", shows: "that a corrupt device is found and named" },
  ],
  load: () => import("../actions/qa-rack.ts"),
};
