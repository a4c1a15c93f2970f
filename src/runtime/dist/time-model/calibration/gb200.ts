import type { RackCalibration } from "../rack.ts";

/**
 * A GB200 NVL72 rack, fitted by `bench/time-model` on the measured curves of sm_100_GB200 in openxla/xla's
 * collective performance table (commit e5d008bb03, Apache-2.0). Names are those of the forms in
 * `../forms`; times in microseconds, rates in microseconds for each MB. What is absent is 0.
 */
export const gb200: RackCalibration = {
  ring: {
    ll: {
      launchUs: 9.8233,
      hopUs: 1.3836,
      "move.usPerMBFrom0KiB": 1.3753,
      "move.usPerMBFrom64KiB": 0.40183,
      "move.usPerMBFrom128KiB": 2.2894,
      "move.usPerMBFrom256KiB": 3.7259,
      "move.usPerMBFrom512KiB": 4.4675,
      "reduce.usPerMBFrom0KiB": 1.5247,
      "reduce.usPerMBFrom64KiB": 0.62699,
      "reduce.usPerMBFrom128KiB": 4.2545,
      "reduce.usPerMBFrom256KiB": 5.8251,
      "reduce.usPerMBFrom512KiB": 6.3515,
    },
    ll128: {
      launchUs: 16.65,
      hopUs: 1.8774,
      "move.usPerMBFrom0KiB": 0.87473,
      "move.usPerMBFrom1024KiB": 1.747,
      "move.usPerMBFrom2048KiB": 1.6424,
      "move.usPerMBFrom4096KiB": 1.5517,
      "reduce.usPerMBFrom0KiB": 0.92579,
      "reduce.usPerMBFrom1024KiB": 1.6579,
      "reduce.usPerMBFrom2048KiB": 1.6258,
      "reduce.usPerMBFrom4096KiB": 1.3831,
    },
    simple: {
      launchUs: 53.657,
      hopUs: 8.0466,
      "move.usPerMBFrom0KiB": 0.47306,
      "move.usPerMBFrom8192KiB": 1.4818,
      "move.usPerMBFrom32768KiB": 1.6551,
      "move.usPerMBFrom65536KiB": 1.4801,
      "move.usPerMBFrom262144KiB": 1.4672,
      "reduce.usPerMBFrom0KiB": 0.49203,
      "reduce.usPerMBFrom8192KiB": 1.4368,
      "reduce.usPerMBFrom32768KiB": 1.6298,
      "reduce.usPerMBFrom65536KiB": 1.4203,
      "reduce.usPerMBFrom262144KiB": 1.426,
    },
  },
  inSwitch: {
    "all-reduce": {
      launchUs: 28.765,
      headUs: 0.77507,
      furtherDeviceUs: 0.14791,
      usPerMBFrom0KiB: 8.016,
      usPerMBFrom40KiB: 2.2662,
      usPerMBFrom160KiB: 6.0747,
      usPerMBFrom640KiB: 3.6662,
      usPerMBFrom2560KiB: 2.7697,
      usPerMBFrom10240KiB: 2.267,
      usPerMBFrom40960KiB: 2.1386,
      usPerMBFrom163840KiB: 2.0255,
      usPerMBAndDevice: 0.0011158,
    },
    "all-gather": {
      launchUs: 18.454,
      headUs: 0.79879,
      usPerMBFrom0KiB: 1.7477,
      usPerMBFrom256KiB: 4.2369,
      usPerMBFrom512KiB: 2.9324,
      usPerMBFrom1024KiB: 2.1305,
      usPerMBFrom4096KiB: 1.6599,
    },
    "reduce-scatter": {
      launchUs: 15.175,
      headUs: 1.3038,
      usPerMBFrom0KiB: 3.9185,
      usPerMBFrom256KiB: 1.354,
      usPerMBFrom512KiB: 3.4452,
      usPerMBFrom1024KiB: 2.5161,
      usPerMBFrom4096KiB: 2.2502,
    },
  },
  peers: {
    launch: {
      launchUs: 12.916,
      usPerPeerFrom16: 0.39328,
      usPerPeerFrom36: 0.81011,
    },
    small: {
      startUs: 10.851,
      usPerMB: 6.7477,
      "uneven.usPerMB": 1.4643,
    },
    bulk: {
      startUs: 6.891,
      usPerDoubling: 3.5551,
      usPerMBFrom0KiB: 2.1203,
      usPerMBFrom16384KiB: 1.6198,
      usPerMBFrom65536KiB: 1.4613,
      "wireBound.usPerMB": 1.4746,
      "uneven.usPerMB": 0.092333,
    },
  },
  tray: {
    "all-reduce": {
      ll: {
        launchUs: 18.689,
        usPerMBFrom0KiB: 0.2261,
        usPerMBFrom32KiB: 0.41768,
        usPerMBFrom64KiB: 8.8512,
        usPerMBFrom128KiB: 1.9463,
        usPerMBFrom512KiB: 6.6765,
      },
      bulk: {
        launchUs: 31.356,
        usPerMBFrom0KiB: 1.9746,
        usPerMBFrom4096KiB: 1.7148,
        usPerMBFrom8192KiB: 1.4896,
        usPerMBFrom32768KiB: 1.5489,
        usPerMBFrom262144KiB: 1.4648,
      },
    },
    "all-gather": {
      ll: {
        launchUs: 16.753,
        usPerMBFrom0KiB: 2.6977,
        usPerMBFrom32KiB: 13.978,
        usPerMBFrom64KiB: 12.647,
        usPerMBFrom512KiB: 4.3969,
      },
      bulk: {
        launchUs: 48.251,
        usPerMBFrom0KiB: 1.0838,
        usPerMBFrom4096KiB: 0.90244,
        usPerMBFrom8192KiB: 1.6805,
        usPerMBFrom32768KiB: 1.7092,
        usPerMBFrom262144KiB: 1.5591,
      },
    },
    "reduce-scatter": {
      ll: {
        launchUs: 16.946,
        usPerMBFrom0KiB: 3.5421,
        usPerMBFrom32KiB: 16.222,
        usPerMBFrom64KiB: 10.232,
        usPerMBFrom128KiB: 0.95201,
        usPerMBFrom512KiB: 8.2508,
      },
      bulk: {
        launchUs: 43.275,
        usPerMBFrom0KiB: 1.3292,
        usPerMBFrom4096KiB: 1.1707,
        usPerMBFrom8192KiB: 1.6792,
        usPerMBFrom32768KiB: 1.6272,
        usPerMBFrom262144KiB: 1.4865,
      },
    },
  },
  trayPeers: {
    launch: {
      launchUs: 23.279,
    },
    small: {
      startUs: 23.366,
      usPerMB: 3.4746,
    },
    bulk: {
      startUs: 9.7292,
      usPerDoubling: 4.8646,
      usPerMBFrom0KiB: 1.8259,
      usPerMBFrom16384KiB: 1.5527,
      usPerMBFrom65536KiB: 1.3802,
      "wireBound.usPerMB": 1.5847,
    },
  },
};
