import type { FailureModel } from "../failure-model.ts";
import { parameter } from "../parameter.ts";

/** What no source of a preset says about its own fleet: the same for all of them. */
export const shared = {
  lemons: {
    share: parameter(
      0.012,
      "share of nodes",
      "rsc",
      "24 lemon nodes were 1.2 % of RSC-1; other fleets may have fewer or more",
    ),
    multiplier: parameter(
      7.5,
      "times the rate of other nodes",
      "assumption",
      "the middle of 5 to 10; no source gives the rate of lemons alone",
    ),
    growth: parameter(
      1.085,
      "times, after each incident",
      "superBench",
      "the time between incidents falls from 719 h (first) to 152 h (20th): (719/152)^(1/19)",
    ),
    growthIncidents: parameter(19, "incidents", "superBench", "nothing was seen beyond the 20th"),
  },
  together: {
    tray: parameter(
      0.7,
      "share of device failures",
      "tsubame",
      "hit 2 or 3 GPUs of a node at once; an old fleet with another board",
    ),
    linkPerMonth: parameter(0.00057, "failures a link and month", "hpn", "NIC to switch"),
    torPerMonth: parameter(0.00051, "crashes a switch and month", "hpn", "top of rack"),
    linksPerNode: parameter(8, "links", "assumption", "one NIC for each of 8 GPUs"),
    nodesPerTor: parameter(16, "nodes", "assumption", "depends on the network of the site"),
    rack: parameter(
      0.002,
      "share of node failures",
      "assumption",
      "no source counts whole racks; power supplies and chassis are 1.4 % of Llama 3's",
    ),
    nodesPerRack: parameter(4, "nodes", "assumption", "air-cooled nodes of 8 GPUs"),
    power: parameter(
      0.0002,
      "share of node failures",
      "assumption",
      "no source counts power feeds; they are rarer than racks",
    ),
    racksPerPower: parameter(16, "racks", "assumption", "one feed for a row"),
  },
  stragglers: {
    perThousandNodeDays: parameter(
      1,
      "onsets per 1,000 node-days",
      "assumption",
      "no source has an onset rate: MegaScale found 0.5 % of machines about 10 % slow and gained 0.7 % MFU without them",
    ),
    slowdownMin: parameter(1.05, "times", "megaScale", "machines were about 10 % slow"),
    slowdownMax: parameter(1.3, "times", "assumption", "around MegaScale's 10 %, with a tail"),
    communicationShare: parameter(0.5, "share", "assumption", "FALCON names both, not how many"),
    computeMeanMinutes: parameter(10, "min", "falcon", "short; its mean is our assumption"),
    communicationMeanHours: parameter(4, "h", "falcon", "persistent; its mean is our assumption"),
  },
  sdc: {
    defectiveShare: parameter(0.001, "share of devices", "metaSdc", "about one in a thousand"),
    perOperationMin: parameter(1e-8, "per operation", "sdcHunter", "10^-6 % of replays"),
    perOperationMax: parameter(1, "per operation", "sdcHunter", "100 % of replays"),
    notANumberShare: parameter(0.01, "share", "sdcAnatomy", "1.01 % of outcomes are NaN or Inf"),
    noticedAfterMinutes: parameter(
      10,
      "min",
      "assumption",
      "as far as a job compares; without comparison it may be weeks",
    ),
  },
  repair: {
    drainShare: parameter(
      0.37,
      "share of incidents",
      "failureSurvey",
      "37 % drained, 73 % restarted: the categories overlap",
    ),
    medianMinutes: parameter(54, "min", "lanl", "log-normal with the mean below"),
    meanMinutes: parameter(355, "min", "lanl", "a few repairs take weeks"),
  },
} as const satisfies Partial<FailureModel>;

/** Independent of size, and early: what programs do wrong. */
export const softwareShape = parameter(
  0.75,
  "",
  "failureSurvey",
  "times between failures cluster with shapes of 0.7 to 0.8; renewed after each, so that the mean holds",
);

export const noMemory = parameter(
  1,
  "",
  "assumption",
  "failures without memory; 0.75 for clusters as in the failure survey",
);
