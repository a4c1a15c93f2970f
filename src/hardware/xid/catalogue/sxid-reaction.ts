import { type GpudReaction, reactionIn } from "./gpud-reaction.ts";

/** SXids of NVSwitches, as gpud's table has them, by what it makes of them. */
const table: Readonly<Record<string, readonly number[]>> = {
  FR: [11004, 12028, 19084],
  FRH: [
    11001, 11009, 11013, 11018, 11019, 11020, 12001, 12002, 12020, 12022, 12024, 12025, 12026,
    12027, 12031, 12032, 14017, 15001, 15006, 15009, 15010, 15012, 15013, 19047, 19048, 19054,
    19056, 19058, 19060, 19061, 19063, 19064, 19066, 19067, 19069, 19070, 20034, 22003, 22011,
    22012, 23001, 23002, 23003, 23004, 23005, 23006, 23007, 23008, 23009, 23010, 23011, 23012,
    23013, 23014, 23015, 23016, 23017, 24004, 24005, 24006, 24007,
  ],
  W: [
    10001, 10002, 10003, 10004, 10005, 11012, 11021, 11022, 11023, 12021, 12023, 12030, 15008,
    15011, 19049, 19055, 19057, 19059, 19062, 19065, 19068, 19071, 20001, 20009, 20012, 22013,
    24001, 24002, 24003,
  ],
};

const bySxid: ReadonlyMap<number, GpudReaction | null> = new Map(
  Object.entries(table).flatMap(([letters, sxids]) =>
    sxids.map((sxid) => [sxid, reactionIn(letters)] as const),
  ),
);

/** Null for one that gpud does not know. NVSentinel has no table: it believes the word in the line. */
export function sxidReaction(sxid: number): GpudReaction | null {
  return bySxid.get(sxid) ?? null;
}
