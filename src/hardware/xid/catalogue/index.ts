export { type NvSentinelAction, touchesMachine, wordsFor } from "./actions.ts";
export type { CudaCodes } from "./cuda-codes.ts";
export type { DcgmResult } from "./dcgm-results.ts";
export type { GpudAction, GpudEventType, GpudReaction } from "./gpud-reaction.ts";
export { xidSources } from "./source.ts";
export { sxidReaction } from "./sxid-reaction.ts";
export { cudaCodesOf, injectableXid, type XidEntry, xidCatalogue, xidEntry } from "./xid-entry.ts";
