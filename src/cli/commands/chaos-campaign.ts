import type { CommandSpec } from "../command-spec.ts";

export const chaosCampaignCommand: CommandSpec = {
  name: "chaos campaign",
  summary: "break simulated jobs in many ways drawn by chance, and judge every one",
  description:
    "Draws jobs, machines, timeouts, policies and faults from the seed, runs each in the simulator beside the same job without faults, and judges it: inside its claim a job must recover, outside it must fail cleanly, and without faults it must pass. Every run follows from the seed and its number, so any can be made alone; every tenth is made twice and compared. Four bugs planted in the recovery code must be found. Each way to fail is made as small as can be. With --name each run is kept in the store as it ends: started again under that name, also after it was killed, a campaign goes on where it was, and a larger --runs adds to it. Runs in pods or jobs are always kept, under a name that is printed when none was given. Exit code 0 when all is as it must be, 1 when a run failed, a planted bug was missed or a run could not be repeated, 3 when nothing was decided. All figures are simulated.",
  options: [
    { flags: "--runs <number>", description: "how many runs, numbered from 0" },
    { flags: "--minutes <number>", description: "start no further run after so long" },
    { flags: "--range <from:to>", description: "runs from a number up to but without another" },
    {
      flags: "--workers <number>",
      description: "runs at once; one for each processor when not given",
    },
    {
      flags: "--name <name>",
      description: "keep the runs in the store under this name, and go on where it was",
    },
    {
      flags: "--on <place>",
      description:
        "where the runs are made: here, or in pods or jobs of the cluster of the configuration",
      choices: ["here", "kubernetes", "slurm"],
    },
    { flags: "--pods <number>", description: "with --on kubernetes: one range of runs for each" },
    { flags: "--image <name>", description: "with --on kubernetes: an image of this version" },
    { flags: "--tasks <number>", description: "with --on slurm: a share of the runs for each" },
    {
      flags: "--at-once <number>",
      description: "with --on slurm: no more tasks than this at once",
    },
    {
      flags: "--time <duration>",
      description:
        "with --on slurm: how long a task may run, such as 2h; the partition's default when not given",
    },
    {
      flags: "--partition <name>",
      description: "with --on slurm: the partition of the tasks",
      configKey: "slurm.partition",
    },
    {
      flags: "--account <name>",
      description: "with --on slurm: the account they are charged to",
      configKey: "slurm.account",
    },
    {
      flags: "--qos <name>",
      description: "with --on slurm: their quality of service",
      configKey: "slurm.qos",
    },
    {
      flags: "--results <folder>",
      description:
        "with --on slurm: where tasks leave results, the same on all nodes; in `dataDir` when not given",
      completes: "directory",
    },
    {
      flags: "--out <folder>",
      description: "save all runs, and the smallest plan of each way to fail as an experiment",
      completes: "directory",
    },
    {
      flags: "--html <file>",
      description: "also write the result as a self-contained HTML page with timelines",
      completes: "file",
    },
  ],
  examples: [
    {
      command: "tessera chaos campaign --runs 1000 --seed 7",
      shows: "a thousand jobs, and how many in a row came back",
    },
    {
      command: "tessera chaos campaign --minutes 1 --seed $COMMIT --junit campaign.xml",
      shows: "a minute of fresh seeds in a pipeline",
    },
    {
      command: "tessera chaos campaign --runs 10000 --out failures --html campaign.html",
      shows: "each way to fail as an experiment of its own, and a page with plots",
    },
    {
      command:
        "tessera chaos campaign --runs 10000 --on kubernetes --pods 8 --image registry.example/tessera-node:1",
      shows: "the same runs in eight pods of an indexed Job, with the same result",
    },
    {
      command: "tessera chaos campaign --runs 10000 --on slurm --tasks 8 --name weekly",
      shows: "the same runs in a job array of eight tasks; interrupted, the same line goes on",
    },
    {
      command: "tessera chaos campaign --runs 10000 --seed 7 --name weekly",
      shows: "runs kept in the store; the same line again goes on where it was interrupted",
    },
    {
      command: "tessera chaos campaign --range 81:82 --workers 1 --json",
      shows: "one run of a campaign alone",
    },
  ],
  load: () => import("../actions/chaos-campaign.ts"),
};
