import type { CommandSpec } from "../command-spec.ts";

export const collectiveCalibrateCommand: CommandSpec = {
  name: "collective calibrate",
  summary: "fit the time model to collectives measured on your own machine",
  description:
    "Reads what `tessera collective OP --measured --save FILE` wrote, fits a launch time, a hop and rates by message size to each collective, and writes a topology file that --topology takes: its times are then those of this machine. Says how far each fit is from what was measured.",
  arguments: [
    {
      name: "<files...>",
      description: "saved measurements, of any collectives and numbers of ranks",
      completes: "file",
    },
  ],
  options: [
    {
      flags: "--output <file>",
      description: "write the topology there; to stdout when not given",
      completes: "file",
    },
    { flags: "--name <name>", description: "the topology's name; own-host when not given" },
    {
      flags: "--like <system>",
      description:
        "the known system for everything that was not measured; that of --topology when the times were saved, else hgx-h100",
    },
  ],
  examples: [
    {
      command: "tessera collective calibrate ar2.json ar4.json ag4.json --output own.yaml",
      shows: "a topology for `tessera collective all-reduce --topology own.yaml`",
    },
  ],
  reports: false,
  load: () => import("../actions/collective-calibrate.ts"),
};
