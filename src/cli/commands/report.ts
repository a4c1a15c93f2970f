import type { CommandSpec } from "../command-spec.ts";

export const reportCommand: CommandSpec = {
  name: "report",
  summary: "what validation tested, found and still owes, from the history",
  description:
    "Reads the history and says for each cluster, apart: which nodes were tested, passed, warned, are suspect, failed or unknown, and which were not tested and why; coverage and coverage debt; the slowest nodes; how long detection took; GPU-hours against the budget; incidents and runs that did not complete. Changes nothing. The times of a simulated cluster are its own. Exit code 1 when a node failed, 3 when one is suspect or unknown or nothing was tested.",
  options: [
    {
      flags: "--since <time>",
      description:
        "from when: a duration back from the end, or a date (24h, 7d, 2026-03-01); 24h when not given",
    },
    {
      flags: "--until <time>",
      description: "until when: a duration ago, or a date; now when not given",
    },
    { flags: "--cluster <name>", description: "only this cluster; all of them when not given" },
    {
      flags: "--format <format>",
      description: "how to write it; text for a terminal when not given",
      choices: ["text", "md", "html", "json", "junit"],
    },
    {
      flags: "--output <file>",
      description: "write it to a file; to stdout when not given",
      completes: "file",
    },
  ],
  examples: [
    { command: "tessera report --since 24h", shows: "the last day on the terminal" },
    {
      command: "tessera report --since 7d --format html --output week.html",
      shows: "the week with plots, one file that opens offline",
    },
    {
      command: "tessera report --cluster gpu-prod --format junit --output report.xml",
      shows: "one cluster, for CI",
    },
  ],
  load: () => import("../actions/report.ts"),
};
