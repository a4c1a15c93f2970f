export type { Detection } from "./detection.ts";
export { type GpudEvent, gpudReads } from "./gpud.ts";
export { type NvSentinelEvent, nvSentinelReads } from "./nvsentinel.ts";
