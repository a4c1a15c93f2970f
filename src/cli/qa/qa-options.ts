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
