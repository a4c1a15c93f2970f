import type { IslandCalibration } from "../island.ts";

/**
 * Eight H100 or H200 on one board, fitted by `bench/time-model` on the measured curves of sm_90 in openxla/xla's
 * collective performance table (commit e5d008bb03, Apache-2.0). Names are those of the forms in
 * `../forms`; times in microseconds, rates in microseconds for each MB. What is absent is 0.
 */
export const h100: IslandCalibration = {
  "all-reduce": {
    launchUs: 11.05,
    hopUs: 3.7785,
    usPerMBFrom0KiB: 5.0535,
    usPerMBFrom4096KiB: 2.824,
    usPerMBFrom32768KiB: 2.3339,
    usPerMBFrom262144KiB: 2.2568,
    "fewLinks.usPerMB": 1.3306,
    "withoutSwitch.usPerMB": 0.5902,
  },
  "all-gather": {
    launchUs: 10.499,
    hopUs: 1.0994,
    usPerMBFrom0KiB: 8.5443,
    usPerMBFrom4096KiB: 2.9212,
    usPerMBFrom32768KiB: 2.7775,
    usPerMBFrom262144KiB: 2.6097,
    "fewLinks.usPerMB": 1.125,
  },
  "reduce-scatter": {
    launchUs: 18.069,
    furtherHopUs: 2.3758,
    usPerMBFrom0KiB: 3.422,
    usPerMBFrom4096KiB: 3.2498,
    usPerMBFrom32768KiB: 2.7924,
    usPerMBFrom262144KiB: 2.5845,
    "fewLinks.usPerMB": 2.7253,
  },
  "all-to-all": {
    launchUs: 25.969,
    hopUs: 0.88999,
    usPerMBFrom0KiB: 6.6136,
    usPerMBFrom4096KiB: 3.7081,
    usPerMBFrom32768KiB: 2.8597,
    usPerMBFrom262144KiB: 2.6376,
    "fewLinks.usPerMB": 0.6295,
  },
};
