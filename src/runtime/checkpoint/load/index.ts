/** Reading checkpoints: what is there, which is the last good one, and its state on any mesh. */
export { lastCommitted, list } from "./list.ts";
export { type LoadStateOptions, load } from "./load.ts";
export { restore } from "./restore.ts";
