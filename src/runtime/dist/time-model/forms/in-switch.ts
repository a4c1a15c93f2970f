import { bandsAt } from "./bands.ts";
import type { Form } from "./form.ts";

/** NCCL splits an in-switch collective into as many heads as devices, but not more than this. */
export const headsMax = 32;

const miB = 1024;
const bytesPerMB = 1e6;

/** The chunk grows with the bytes of a head, and with it the rate. */
const bands = bandsAt([40, 160, 640, 2560, 10 * miB, 40 * miB, 160 * miB]);
const halfBands = bandsAt([0.25 * miB, 0.5 * miB, 1 * miB, 4 * miB]);

/**
 * A collective the switch carries out (NVLS): a launch, a part for each head and each further device,
 * and bytes whose rate depends on how many a head has; large groups disturb each other a little.
 */
export const inSwitchAllReduce: Form = {
  parameters: ["launchUs", "headUs", "furtherDeviceUs", ...bands.names, "usPerMBAndDevice"],
  terms: ({ devices, bytes }) => {
    const heads = Math.min(devices, headsMax);
    const carried = bands.split(bytes / heads).map((mb) => heads * mb);
    return [1, heads, devices - heads, ...carried, (devices * bytes) / bytesPerMB];
  },
};

/** The same for reduce-scatter and all-gather, which exist for at most `headsMax` devices. */
export const inSwitchHalf: Form = {
  parameters: ["launchUs", "headUs", ...halfBands.names],
  terms: ({ devices, bytes }) => [
    1,
    devices,
    ...halfBands.split(bytes / devices).map((mb) => devices * mb),
  ],
};
