/** Checks that users add: a program, and a manifest that describes what it measures. */
export { collectPlugIns, type PlugIns, withPlugIn } from "./find-plug-ins.ts";
export { type Manifest, manifestName } from "./manifest.ts";
export { createPlugInCheck, plugInKey } from "./plug-in-check.ts";
