import { bandsAt } from "./bands.ts";
import type { Form } from "./form.ts";

const bytesPerMB = 1e6;
const bands = bandsAt([4, 32, 256].map((miB) => miB * 1024));
/** Beyond this many devices a launch can cost more than a hop for each of them. */
const hopKnee = 4;

/** Fewer devices than this gain nothing from adding in the switch (stas00 measured 5 on H200, 6 on B200). */
export const inSwitchDevicesMin = 5;

/**
 * Eight devices and fewer: a launch, a hop for each further device, the bytes each device sends, with
 * a rate that rises with the size of the message, a part for groups so small that their devices
 * cannot use all their links, and one for groups that the switch does not help.
 */
export function islandForm(passes: 1 | 2, withSwitch: boolean): Form {
  return {
    parameters: [
      "launchUs",
      "hopUs",
      "furtherHopUs",
      ...bands.names,
      "fewLinks.usPerMB",
      "withoutSwitch.usPerMB",
    ],
    terms: ({ devices, bytes }) => {
      const share = (passes * (devices - 1)) / devices;
      const sent = bands.split(bytes).map((mb) => share * mb);
      const few = (passes * bytes) / bytesPerMB / devices;
      const helped = passes === 1 || (withSwitch && devices >= inSwitchDevicesMin);
      const unhelped = helped ? 0 : (share * bytes) / bytesPerMB;
      return [1, devices - 1, Math.max(0, devices - hopKnee), ...sent, few, unhelped];
    },
  };
}
