export type { CheckpointFiles, FileReader, FileWriter, FolderEntry } from "./checkpoint-files.ts";
export { isShortage } from "./is-shortage.ts";
export { createNodeFiles } from "./node-files.ts";
export { readSmallFile } from "./read-small-file.ts";
export { writeSmallFile } from "./write-small-file.ts";
