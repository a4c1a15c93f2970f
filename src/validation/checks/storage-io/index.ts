export { fioProbe } from "./fio-probe.ts";
export { type StorageOptions, type StoragePattern, storagePatterns } from "./options.ts";
export { createStorageIo } from "./storage-io.ts";
