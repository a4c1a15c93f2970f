export {
  createFaultBook,
  type FaultBook,
  type FaultBookOptions,
  type FaultSelection,
} from "./fault-book.ts";
export { newFaultName } from "./fault-name.ts";
export type { FaultWatchOptions, WatchedFaults } from "./fault-watch.ts";
export type { StatusChange } from "./fault-writer.ts";
export {
  armed,
  claimed,
  ended,
  entryDone,
  failed,
  firstStatus,
  injected,
  leaseEndMs,
  over,
  renewed,
  revertFailed,
  type Stamp,
  sighted,
  timeOf,
} from "./transitions.ts";
