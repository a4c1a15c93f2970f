import { bandsAt } from "./bands.ts";
import type { Form } from "./form.ts";

const miB = 2 ** 20;
const bytesPerMB = 1e6;

/** Channels NCCL spreads messages between peers over. */
const channels = 32;
/** A message larger than this is split over twice as many channels. */
const partBytesMax = 16 * miB;
/** How much of the imbalance between channels shows in the time; the rest hides behind the others. */
const imbalanceShown = 0.72;
/** Above this size a peer's message keeps the link itself busy, and the copy to oneself no longer counts. */
const wireBoundBytes = 256 * miB;
const launchKnees = [16, 36];

/** From this size of one peer's message on, NCCL sends whole chunks and no flags. */
export const bulkPeerBytes = miB;

/** How often each message is split: as often as channels allow, more often when it is large. */
function logParts(devices: number, peerBytes: number): number {
  const spread = Math.max(0, Math.floor(Math.log2(channels / devices)));
  const large = Math.max(0, Math.log2(peerBytes / partBytesMax));
  return Math.min(Math.log2(channels), Math.max(spread, large));
}

/** Time with parts on whole channels against parts spread evenly; 1 where they fit exactly. */
function imbalance(devices: number, parts: number): number {
  const total = devices * parts;
  return (Math.ceil(total / channels) * channels) / total;
}

/** The slowdown by uneven channels: 36 messages on 32 channels take the time of 64. */
function slowdown(devices: number, peerBytes: number): number {
  const parts = logParts(devices, peerBytes);
  const below = imbalance(devices, 2 ** Math.floor(parts));
  const above = imbalance(devices, 2 ** Math.ceil(parts));
  const between = below * (above / below) ** (parts - Math.floor(parts));
  return 1 + imbalanceShown * (between - 1);
}

/** Groups that do not fit the channels also lose a little on every byte, whatever its part. */
function unevenMB(devices: number, bytes: number): number {
  const fits = imbalance(devices, 2 ** logParts(devices, 1)) === 1;
  return fits ? 0 : bytes / bytesPerMB;
}

/** What an all-to-all costs before bytes count: the launch, which grows with the list of peers. */
export const peersLaunch: Form = {
  parameters: ["launchUs", ...launchKnees.map((knee) => `usPerPeerFrom${knee}`)],
  terms: ({ devices }) => [1, ...launchKnees.map((knee) => Math.max(0, devices - knee))],
};

/** Small messages to each peer, with flags beside the data. The launch above hides behind it. */
export const peersSmall: Form = {
  parameters: ["startUs", "usPerMB", "uneven.usPerMB"],
  terms: ({ devices, bytes }) => [
    1,
    (slowdown(devices, bytes / devices) * bytes) / bytesPerMB,
    unevenMB(devices, bytes),
  ],
};

const bulkBands = bandsAt([16 * 1024, 64 * 1024]);

/** Large messages to each peer, in whole chunks. */
export const peersBulk: Form = {
  parameters: [
    "startUs",
    "usPerDoubling",
    ...bulkBands.names,
    "wireBound.usPerMB",
    "uneven.usPerMB",
  ],
  terms: ({ devices, bytes }) => {
    const peerBytes = bytes / devices;
    const shared = devices * Math.min(peerBytes, wireBoundBytes);
    const alone = (devices - 1) * Math.max(0, peerBytes - wireBoundBytes);
    const factor = slowdown(devices, Math.min(peerBytes, wireBoundBytes));
    const carried = bulkBands.split(shared).map((mb) => factor * mb);
    return [1, Math.log2(devices), ...carried, alone / bytesPerMB, unevenMB(devices, bytes)];
  },
};
