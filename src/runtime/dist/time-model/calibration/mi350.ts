import type { IslandCalibration } from "../island.ts";

/**
 * Eight MI350-class GPUs with a direct link for each pair, fitted by `bench/time-model` on the measured curves of gfx950 in openxla/xla's
 * collective performance table (commit e5d008bb03, Apache-2.0). Names are those of the forms in
 * `../forms`; times in microseconds, rates in microseconds for each MB. What is absent is 0.
 */
export const mi350: IslandCalibration = {
  "all-reduce": {
    launchUs: 64.64,
    hopUs: 4.2795,
    usPerMBFrom4096KiB: 0.12052,
    usPerMBFrom32768KiB: 0.21371,
    usPerMBFrom262144KiB: 0.29818,
    "fewLinks.usPerMB": 15.238,
  },
  "all-gather": {
    launchUs: 52.566,
    hopUs: 3.3583,
    furtherHopUs: 7.8934,
    "fewLinks.usPerMB": 15.74,
  },
  "reduce-scatter": {
    launchUs: 52.506,
    hopUs: 3.2912,
    usPerMBFrom0KiB: 3.3043,
    usPerMBFrom4096KiB: 0.15917,
    "fewLinks.usPerMB": 17.256,
  },
  "all-to-all": {
    launchUs: 57.443,
    hopUs: 2.2906,
    furtherHopUs: 19.555,
    usPerMBFrom0KiB: 0.16403,
    usPerMBFrom4096KiB: 1.3005,
    usPerMBFrom32768KiB: 0.31548,
    usPerMBFrom262144KiB: 0.27737,
    "fewLinks.usPerMB": 15.703,
  },
};
