import type { CommandSpec } from "../command-spec.ts";

export const checkRunCommand: CommandSpec = {
  name: "check run",
  summary: "run one check on this machine",
  description:
    "Runs a check here and prints what it measured. By hand, exit code 0 means that it completed and nothing was wrong, 1 that something was proved wrong, 3 that it could not run. Started as the job of a run (TESSERA_RUN_ID and its neighbours are set) it writes its log while it runs, hands its result in by POST and as a file, and ends with 0 when either was accepted. With the profile prolog it is a gate before a job: in seconds, always within its time, asking no network and no configuration, with one line of output; without the name of a check it asks the short set of questions. docs/checks.md describes all three.",
  arguments: [
    {
      name: "[name]",
      description: "the check; in a job TESSERA_CHECK names it too",
      suggestions: () => ["host-compute", "dl-unit", "nccl-loopback", "storage-io"],
    },
  ],
  options: [
    {
      flags: "--profile <profile>",
      description:
        "how thorough: a gate before a job, seconds, the usual, or until something warms up",
      choices: ["prolog", "quick", "standard", "soak"],
    },
    {
      flags: "--options <json>",
      description: 'options of the check, for example {"command": ["./my-check"]}',
    },
    {
      flags: "--timeout <duration>",
      description: "give up after this long; a gate after 20s unless told",
    },
    {
      flags: "--gpus <count>",
      description: "with profile prolog: how many GPUs this machine must have; 0 for none",
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with plots",
      completes: "file",
    },
    { flags: "--result-url <url>", description: "in a job: where to post the result" },
    {
      flags: "--result-dir <folder>",
      description: "in a job: the root of the tree of logs and result files",
      completes: "directory",
    },
  ],
  examples: [
    { command: "tessera check run host-compute --profile quick", shows: "this machine in seconds" },
    {
      command: "tessera check run --profile prolog --gpus 8",
      shows: "whether a job may start here",
    },
    {
      command: "tessera check run dl-unit --html dl-unit.html",
      shows: "a page with plots of every GPU",
    },
    { command: "tessera check run host-compute --json", shows: "the figures, for programs" },
  ],
  load: () => import("../actions/check-run.ts"),
};
