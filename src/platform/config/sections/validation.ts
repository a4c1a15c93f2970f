import { z } from "zod";
import { section, setting, wholePath } from "../setting.ts";
import { clusterPaths, clustersSchema } from "./validation-clusters.ts";
import { validationValues as values } from "./validation-values.ts";

const limitsSection = section("How much is tested at a time. Every limit holds for each cluster.", {
  inFlight: setting(values.limits.inFlight, {
    description: "How many runs may be under way at the same time.",
    default: 5,
    examples: [20],
  }),
  perRack: setting(values.limits.perRack, {
    description:
      "How many of them in one rack, so that a rack never loses more than this many nodes to tests.",
    default: 2,
    examples: [1],
  }),
  perFileSystem: setting(values.limits.perFileSystem, {
    description:
      "How many checks may load one shared file system at the same time, for its users' sake and so that they do not measure each other.",
    default: 3,
    examples: [1],
  }),
  cooldown: setting(values.limits.cooldown, {
    description: "How long a node is left alone after a run, unless it is a retest.",
    as: "cooldownMs",
    default: "4h",
    examples: ["30m"],
  }),
  retestAfter: setting(values.limits.retestAfter, {
    description:
      "How long a suspect node is left alone before the run that confirms or clears it, and a check that came to nothing on a node before it is tried there again. Twice as long each further time, up to a day.",
    as: "retestAfterMs",
    default: "10m",
    examples: ["1h"],
  }),
  gpuHoursPerDay: setting(values.limits.gpuHoursPerDay, {
    description:
      "The budget: GPU-hours of runs begun on one day (UTC). Without it there is no limit.",
    examples: [200],
  }),
  quietHours: setting(values.limits.quietHours, {
    description:
      "Times of day (UTC) in which nothing new is begun; what runs goes on. May span midnight.",
    default: [],
    examples: [["22:00-06:00"]],
    fileOnly: true,
  }),
});

const actSection = section("What is done about nodes, beside testing them.", {
  mode: setting(values.act.mode, {
    description:
      "`off` does nothing; `dry-run` only writes down what it would do; `on` does it. `on` needs the right to patch nodes.",
    default: "dry-run",
    examples: ["on"],
  }),
  label: setting(values.act.label, {
    description: "Whether each node gets a label with its verdict.",
    default: true,
    examples: [false],
  }),
  cordon: setting(values.act.cordon, {
    description:
      "Whether a node that failed is closed to users, until a fresh and complete pass opens it again.",
    default: true,
    examples: [false],
  }),
  cordonedShareMax: setting(values.act.cordonedShareMax, {
    description:
      "The circuit breaker: nothing is closed when more than this share of the nodes would then be closed by Tessera.",
    default: 0.1,
    examples: [0.02],
  }),
});

export const validationSection = section(
  "Continuous validation: which nodes are tested, with what, and how often.",
  {
    enabled: setting(z.boolean(), {
      description:
        "Whether `tessera up` validates the clusters; the page and the API work without.",
      default: true,
      examples: [false],
    }),
    policy: setting(values.policy, {
      description:
        "Who comes first: `risk` weighs hazard, signs and cost; `stale` takes those tested longest ago; `random` is for comparison.",
      default: "risk",
      examples: ["stale"],
    }),
    staleAfter: setting(values.staleAfter, {
      description: "After this long the evidence about a node no longer counts as fresh.",
      as: "staleAfterMs",
      default: "7d",
      examples: ["3d"],
    }),
    checks: setting(values.checks, {
      description:
        "The checks to run; each has a `name` and may have `minutes` it is expected to take, the `fileSystem` it loads, and `options` of its own. Without it: every check the cluster can run.",
      examples: [[{ name: "storage-io", fileSystem: "/lustre" }]],
      fileOnly: true,
    }),
    plugins: setting(values.plugins, {
      description:
        "Checks of your own: files `tessera.check.yaml`, or the folders they lie in, which say what to run and what it measures. Jobs find them at the same paths.",
      default: [],
      examples: [["/opt/site/checks/ib-counters"]],
      path: (paths, absolute) => paths.map(absolute),
      fileOnly: true,
    }),
    limits: limitsSection,
    pendingTimeout: setting(values.pendingTimeout, {
      description: "A job that has not begun to run after this long is cancelled.",
      as: "pendingTimeoutMs",
      default: "5m",
      examples: ["30m"],
    }),
    runTimeout: setting(values.runTimeout, {
      description: "A job that has run for this long is cancelled.",
      as: "runTimeoutMs",
      default: "90m",
      examples: ["3h"],
    }),
    resultGrace: setting(values.resultGrace, {
      description:
        "How long after the end of its job a result may still come in; then the run counts as an error.",
      as: "resultGraceMs",
      default: "2m",
      examples: ["10m"],
    }),
    compareDays: setting(values.compareDays, {
      description: "How many days back runs are compared with each other.",
      default: 30,
      examples: [14],
    }),
    resultsDir: setting(values.resultsDir, {
      description:
        "The shared volume with results and logs, as this process sees it: `<check>/<node>/<Check>_<node>_<unixtime>.log` and `.result.json`.",
      default: ({ value }) => `${String(value("dataDir"))}/continuous_validation`,
      defaultText: "`continuous_validation` in the data folder",
      examples: ["/mnt/continuous_validation"],
      path: wholePath,
    }),
    resultUrl: setting(values.resultUrl, {
      description:
        "Where pods reach this control plane to hand in results. Without it: the server's own address where pods can reach that; otherwise they only write files.",
      examples: ["https://tessera.gpu-prod.example"],
    }),
    template: setting(values.template, {
      description: "A file with the job's template. Without it: the built-in one.",
      examples: ["/etc/tessera/job.yaml"],
      path: wholePath,
    }),
    act: actSection,
    clusters: setting(clustersSchema, {
      description:
        "The clusters to look after. Each has a `name`, a `kind` (`kubernetes`, `slurm`, `local` for this machine, `simulated` for a made-up fleet), what belongs to its kind, and any setting of this section that differs there.",
      default: [
        // One machine, for which nobody waits: nothing to weigh, and its checks may follow each other.
        { name: "local", kind: "local", policy: "stale", limits: { cooldown: 0 } },
        {
          name: "simulated",
          kind: "simulated",
          nodes: 128,
          gpusPerNode: 8,
          limits: { gpuHoursPerDay: 240 },
          // Nothing there is real, so what follows from a verdict can be shown as well.
          act: { mode: "on" },
        },
      ],
      defaultText: "`local` (this machine) and `simulated` (128 nodes with 8 GPUs each)",
      examples: [
        [
          {
            name: "gpu-prod",
            kind: "kubernetes",
            context: "gpu-prod",
            image: "registry.example/tessera-node:1.0",
          },
        ],
      ],
      path: clusterPaths,
      fileOnly: true,
    }),
  },
);
