import type { CommandSpec } from "../command-spec.ts";

export const sdcBenchCommand: CommandSpec = {
  name: "sdc bench",
  summary:
    "score detectors of silent data corruption: what they find, what they cost, what escapes",
  description:
    "Corrupts results on this machine's processors as defective hardware does (single and several bits, a warp's lanes at a stride, tiles that stay zero, swapped columns, errors that cancel, errors for some operands only) and counts what each detector finds, by bit, by pattern and by place. Thresholds are learnt from clean products first, and fresh clean products show the false alarms. Costs are measured in the same run. What time a defect takes to be found at a given rate is modelled from it. Nothing is changed outside of this process. docs/verify.md explains the detectors.",
  options: [
    { flags: "--quick", description: "small matrices and few trials: seconds, with wide errors" },
    {
      flags: "--size <number>",
      description: "rows and columns of the matrices; 1024 when not given",
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with plots",
      completes: "file",
    },
  ],
  examples: [
    { command: "tessera sdc bench", shows: "the score tables; about a minute" },
    { command: "tessera sdc bench --quick --json", shows: "seconds, for programs" },
    { command: "tessera sdc bench --seed 7 --html sdc.html", shows: "other chances, with plots" },
  ],
  reports: false,
  load: () => import("../actions/sdc-bench.ts"),
};
