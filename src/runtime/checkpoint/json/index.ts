/**
 * One strict reader of JSON for headers of safetensors, manifests and COMMITs: the scanner knows the
 * grammar and where it broke; its heirs say what a broken text is called.
 */
export { firstDifference } from "./first-difference.ts";
export { JsonScanner, mark, type ScannedText } from "./json-scanner.ts";
export { parseStrictJson, StrictJsonError } from "./strict-json.ts";
export { isWellFormed } from "./well-formed.ts";
