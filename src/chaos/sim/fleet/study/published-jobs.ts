import { parameter } from "../../../failure-model/index.ts";
import type { FleetInputs, FleetScenario } from "./scenario.ts";

const none = "no changes: the preset is of this job";

/** What the papers do not say, the same wherever it is not said. Fixed before anything was compared. */
const unsaid = {
  intervalS: null,
  restartS: parameter(
    600,
    "s",
    "assumption",
    "not published for this job; 10 minutes is what FT-HSDP reports of synchronous restarts",
  ),
  stallS: parameter(0, "s", "assumption", "of the policy replica alone"),
  crashDetectS: parameter(30, "s", "byteRobust", "10 to 30 s to notice what ends a process"),
  hangDetectS: parameter(600, "s", "nccl", "the timeout of a process group when nobody changes it"),
} as const satisfies Partial<FleetInputs>;

const llama3: FleetScenario = {
  name: "llama3",
  title: "Llama 3 405B",
  model: "llama3",
  changes: {},
  changesNote: none,
  policy: "spare",
  published: parameter(0.9, "effective training time", "llama3", "higher than 90 %"),
  inputs: {
    ...unsaid,
    gpus: parameter(16_384, "GPUs", "llama3", "of a cluster of 24,000"),
    days: parameter(54, "d", "llama3", "the snapshot of the paper"),
    spareNodes: parameter(
      256,
      "nodes",
      "assumption",
      "the cluster has 24,000 GPUs; how many stood by is not published",
    ),
    replicas: parameter(128, "replicas", "llama3", "DP of the 8K-context phase on 16,384 GPUs"),
    stepS: parameter(
      5.9,
      "s",
      "derived",
      "6 x 405e9 parameters x 16e6 tokens at 400 TFLOP/s on each of 16,384 GPUs",
    ),
    blockingS: parameter(
      3.2,
      "s",
      "derived",
      "405e9 parameters x 16 bytes at the published 2 TB/s of sustained throughput; the bytes are our assumption",
    ),
    writeS: parameter(3.2, "s", "derived", "as long as it blocks"),
  },
};

const rscInputs: FleetInputs = {
  ...unsaid,
  gpus: parameter(3072, "GPUs", "rsc", "the middle of the published 2,048 to 4,096"),
  days: parameter(30, "d", "assumption", "published: jobs of more than one day"),
  spareNodes: parameter(
    64,
    "nodes",
    "assumption",
    "the highest priority of a cluster of 2,000 nodes",
  ),
  replicas: parameter(1, "replicas", "assumption", "any node stops the job"),
  stepS: parameter(5, "s", "assumption", "changes nothing: saves are by time"),
  intervalS: parameter(3600, "s", "rsc", "assumed by the paper: nobody knows each job's"),
  blockingS: parameter(1, "s", "assumption", "the paper takes saves that do not block"),
  writeS: parameter(60, "s", "assumption", "written behind the job within a minute"),
  restartS: parameter(300, "s", "rsc", "assumed by the paper, 5 of its 5 to 20 minutes"),
  crashDetectS: parameter(0, "s", "rsc", "part of the restart"),
  hangDetectS: parameter(0, "s", "rsc", "part of the restart"),
};

const rsc1: FleetScenario = {
  name: "rsc1",
  title: "Large jobs of RSC-1",
  model: "rsc1",
  changes: {},
  changesNote: none,
  policy: "spare",
  published: parameter(
    0.9,
    "ETTR",
    "rsc",
    "over 0.9 for jobs of 2,048 to 4,096 GPUs, without queueing",
  ),
  inputs: rscInputs,
};

const rsc2: FleetScenario = {
  ...rsc1,
  name: "rsc2",
  title: "The same jobs on RSC-2",
  model: "rsc2",
  published: null,
};

const ftInputs: FleetInputs = {
  ...unsaid,
  gpus: parameter(98_304, "GPUs", "ftHsdp", "about 98,000"),
  days: parameter(24, "d", "derived", "678 events at the published rate"),
  spareNodes: parameter(512, "nodes", "assumption", "nobody waits for a node"),
  replicas: parameter(16, "replicas", "assumption", "not found; changes the goodput, not the ETTR"),
  stepS: parameter(10, "s", "assumption", "not found; changes little"),
  blockingS: parameter(5, "s", "assumption", "not found; an asynchronous save"),
  writeS: parameter(60, "s", "assumption", "not found; written behind the job"),
  restartS: parameter(600, "s", "ftHsdp", "stall of a synchronous recovery"),
  stallS: parameter(180, "s", "ftHsdp", "stall of the other replicas"),
  crashDetectS: parameter(0, "s", "ftHsdp", "part of the stall"),
  hangDetectS: parameter(0, "s", "ftHsdp", "part of the stall"),
};

/** A failure every 18 minutes: 80 a day, of which 2 are software. */
const everyEighteenMinutes = {
  changes: { "hardware.perThousandNodeDays": 78 / 12.288 },
  changesNote:
    "a failure every 18 minutes, as the paper says of 100,000 GPUs (found in two summaries); its 2.3 per 1,000 server-days would be one every 51 minutes",
} as const;

const ftHsdpSynchronous: FleetScenario = {
  name: "ft-hsdp-synchronous",
  title: "100,000 GPUs, everybody restarts",
  model: "ft-hsdp",
  ...everyEighteenMinutes,
  policy: "spare",
  published: parameter(0.44, "effective training time", "ftHsdp", "fully synchronous"),
  inputs: ftInputs,
};

const ftHsdp: FleetScenario = {
  ...ftHsdpSynchronous,
  name: "ft-hsdp",
  title: "100,000 GPUs, replica by replica",
  policy: "replica",
  published: parameter(0.8, "effective training time", "ftHsdp", "with FT-HSDP"),
};

/** Jobs that something was published about. */
export const publishedJobs = {
  llama3,
  rsc1,
  rsc2,
  "ft-hsdp": ftHsdp,
  "ft-hsdp-synchronous": ftHsdpSynchronous,
} as const satisfies Readonly<Record<string, FleetScenario>>;

export type PublishedJobName = keyof typeof publishedJobs;
