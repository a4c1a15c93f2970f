import type { CommandSpec } from "../command-spec.ts";
import { qaOptions } from "../qa/qa-options.ts";

export const qaClusterCommand: CommandSpec = {
  name: "qa cluster",
  summary: "validate hierarchical collectives and parallelism on 128 simulated nodes of 8 GPUs",
  description:
    "Runs what chapter 4 of the guide asks of a cluster, on 1024 simulated devices whose every byte is computed: hierarchical sums with the bits of flat ones, tensor, pipeline and data parallelism, modelled times over NVLink and InfiniBand, a cut network. Exit code 0 when all is well, 1 when something failed, 3 when something could not be decided.",
  options: qaOptions,
  examples: [
    { command: "tessera qa cluster", shows: "the whole suite" },
    { command: "tessera qa cluster --junit qa.xml", shows: "with a file for CI" },
    {
      command: "tessera qa cluster --corrupt 700:3",
      shows: "that a wrong bit among 1024 devices is found and named",
    },
  ],
  load: () => import("../actions/qa-cluster.ts"),
};
