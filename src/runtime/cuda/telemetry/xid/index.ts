export {
  type KernelLogMark,
  markKernelLog,
  type ReadXidsOptions,
  readXids,
  type XidsRead,
} from "./read-xids.ts";
export { type XidBlame, xidBlame } from "./xid-kinds.ts";
