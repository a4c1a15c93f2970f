export { ensureDir } from "./ensure-dir.ts";
export { readTextFile } from "./read-text-file.ts";
export { removeLeftoverTemps } from "./temp-files.ts";
export { writeFileAtomic } from "./write-file-atomic.ts";
export { isYamlNestedTooDeeply, yamlTooDeep } from "./yaml-nesting.ts";
