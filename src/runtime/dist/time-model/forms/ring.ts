import { type Bands, bandsAt } from "./bands.ts";
import type { Form } from "./form.ts";

/** What the ring's steps do: move bytes on, add them to what is there, or first the one, then the other. */
export type RingWork = "move" | "reduce" | "both";

/** NCCL's three wire protocols: flags beside each word, flags in each 128 bytes, whole chunks. */
export const ringProtocols = ["ll", "ll128", "simple"] as const;
export type RingProtocol = (typeof ringProtocols)[number];

const kiB = 1;
const miB = 1024;

/** Where the cost of a byte changes, in bytes a step carries. Seen at the same place for all group sizes. */
const bandsOf: Readonly<Record<RingProtocol, Bands>> = {
  ll: bandsAt([64 * kiB, 128 * kiB, 256 * kiB, 512 * kiB]),
  ll128: bandsAt([miB, 2 * miB, 4 * miB]),
  simple: bandsAt([8 * miB, 32 * miB, 64 * miB, 256 * miB]),
};

/**
 * A ring of n devices: n - 1 steps, each carrying bytes / n. One launch, one hop for each step, and
 * the bytes of the step. An all-reduce is a reduce-scatter followed by an all-gather in one launch.
 */
export function ringForm(protocol: RingProtocol, work: RingWork): Form {
  const bands = bandsOf[protocol];
  const passes = work === "both" ? 2 : 1;
  return {
    parameters: [
      "launchUs",
      "hopUs",
      ...bands.names.map((name) => `move.${name}`),
      ...bands.names.map((name) => `reduce.${name}`),
    ],
    terms: ({ devices, bytes }) => {
      const steps = devices - 1;
      const carried = bands.split(bytes / devices).map((mb) => steps * mb);
      const none = carried.map(() => 0);
      const moved = work === "reduce" ? none : carried;
      const reduced = work === "move" ? none : carried;
      return [1, passes * steps, ...moved, ...reduced];
    },
  };
}

/** What can be told apart in a tray: LL, and whatever comes after it. */
export const trayProtocols = ["ll", "bulk"] as const;
export type TrayProtocol = (typeof trayProtocols)[number];

const trayBands: Readonly<Record<TrayProtocol, Bands>> = {
  ll: bandsAt([32 * kiB, 64 * kiB, 128 * kiB, 512 * kiB]),
  bulk: bandsAt([4 * miB, 8 * miB, 32 * miB, 256 * miB]),
};

/** The few devices of one tray: the same steps, with a launch that swallows the hops. */
export function trayForm(protocol: TrayProtocol, passes: 1 | 2): Form {
  const bands = trayBands[protocol];
  return {
    parameters: ["launchUs", ...bands.names],
    terms: ({ devices, bytes }) => {
      const steps = passes * (devices - 1);
      return [1, ...bands.split(bytes / devices).map((mb) => steps * mb)];
    },
  };
}
