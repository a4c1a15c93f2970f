import type { CommandSpec } from "../command-spec.ts";

export const ncclImportCommand: CommandSpec = {
  name: "nccl import",
  summary: "judge a run of nccl-tests by the rules of nccl-loopback",
  description:
    "Reads what one run of nccl-tests left: its text, its JSON (-J), and NCCL's log (NCCL_DEBUG=INFO, NCCL_DEBUG_SUBSYS=INIT,NET,GRAPH), inside the text or in files beside it. Says what was measured and whether the data is proved to have gone through the network cards: every channel over NET/IB with GPUDirect, none over NVLink or shared memory, and every card's counters moved alike without errors. The counters come from two listings, made before and after the run with `grep -r . /sys/class/infiniband/*/ports/`. Exit code 0 when it is proved and every value was right, 1 when values were wrong, 3 when it is not proved, whatever the bandwidth.",
  arguments: [
    {
      name: "<files...>",
      description: "the output of nccl-tests, and the logs of its ranks",
      completes: "file",
    },
  ],
  options: [
    {
      flags: "--path <name>",
      description: "the way the data must have taken; ib when not given",
      choices: ["ib", "socket"],
    },
    {
      flags: "--counters-before <file>",
      description: "the counters of the network cards before the run",
      completes: "file",
    },
    {
      flags: "--counters-after <file>",
      description: "the counters of the network cards after the run",
      completes: "file",
    },
    {
      flags: "--hcas <names>",
      description:
        "the cards that must have carried the data, such as mlx5_0,mlx5_1; those that NCCL names when not given",
    },
  ],
  examples: [
    {
      command:
        "tessera nccl import run.log --counters-before before.txt --counters-after after.txt",
      shows: "what the run measured, and whether it went through the network cards",
    },
    {
      command: "tessera nccl import out.json rank-*.log --path socket --json",
      shows: "a run over sockets, for programs",
    },
  ],
  reports: false,
  load: () => import("../actions/nccl-import.ts"),
};
