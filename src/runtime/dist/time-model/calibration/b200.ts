import type { IslandCalibration } from "../island.ts";

/**
 * Eight B200 on one board, fitted by `bench/time-model` on the measured curves of sm_100_B200 in openxla/xla's
 * collective performance table (commit e5d008bb03, Apache-2.0). Names are those of the forms in
 * `../forms`; times in microseconds, rates in microseconds for each MB. What is absent is 0.
 */
export const b200: IslandCalibration = {
  "all-reduce": {
    launchUs: 19.349,
    hopUs: 4.0822,
    furtherHopUs: 0.53845,
    usPerMBFrom0KiB: 3.4749,
    usPerMBFrom4096KiB: 2.233,
    usPerMBFrom32768KiB: 1.564,
    usPerMBFrom262144KiB: 1.4995,
    "fewLinks.usPerMB": 0.60311,
    "withoutSwitch.usPerMB": 0.037291,
  },
  "all-gather": {
    launchUs: 20.385,
    hopUs: 1.6183,
    usPerMBFrom0KiB: 4.7146,
    usPerMBFrom4096KiB: 1.7657,
    usPerMBFrom32768KiB: 1.6119,
    usPerMBFrom262144KiB: 1.4612,
    "fewLinks.usPerMB": 0.81807,
  },
  "reduce-scatter": {
    launchUs: 27.031,
    hopUs: 1.3212,
    usPerMBFrom0KiB: 1.3925,
    usPerMBFrom4096KiB: 1.9034,
    usPerMBFrom32768KiB: 1.5835,
    usPerMBFrom262144KiB: 1.3797,
    "fewLinks.usPerMB": 0.83452,
  },
  "all-to-all": {
    launchUs: 33.577,
    usPerMBFrom0KiB: 5.2314,
    usPerMBFrom4096KiB: 2.1364,
    usPerMBFrom32768KiB: 1.4886,
    usPerMBFrom262144KiB: 1.3206,
    "fewLinks.usPerMB": 1.5225,
  },
};
