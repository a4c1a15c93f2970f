import type { OptionSpec } from "../command-spec.ts";

/** What both suites let the user break before they run. */
export const qaOptions: readonly OptionSpec[] = [
  {
    flags: "--corrupt <device[:element[:bit]]>",
    description:
      "rehearse a failure: this device hands in one wrong bit, and the suite must fail and name it",
  },
  {
    flags: "--slow <device:factor>",
    description: "rehearse a failure: all links of this device carry data this many times slower",
  },
  {
    flags: "--html <file>",
    description: "also write the report as a self-contained HTML page",
    completes: "file",
  },
];

/** What a suite also does on this very host. */
export const qaMeasuredOptions: readonly OptionSpec[] = [
  {
    flags: "--measured",
    description: "also run collectives between real ranks of this host and measure them",
  },
  {
    flags: "--ranks <count>",
    description: "with --measured: ranks; as many as there are GPUs, or 2, when not given",
  },
  {
    flags: "--transport <kind>",
    description: "with --measured: nccl between GPUs, tcp between processes",
    choices: ["auto", "tcp", "nccl"],
  },
];
