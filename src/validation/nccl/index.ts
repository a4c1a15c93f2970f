export { type ChosenHcas, chooseHcas } from "./choose-hcas.ts";
export { parseHcaListing } from "./hca-listing.ts";
export { type HcaPort, hcaErrorCounters } from "./hca-port.ts";
export type { HcaEvidence } from "./hca-proof.ts";
export { readHcaPorts } from "./hca-sysfs.ts";
export { type ImportedRun, importNcclRun, type NcclFile } from "./import-run.ts";
export { createNcclLogReader, type NcclLog, type NcclLogReader } from "./log-reader.ts";
export { type LoopbackPath, type PathProof, provePath } from "./path-proof.ts";
