export { LimitedDisk } from "./limited-disk.ts";
export { type DiskKind, type HostDisk, openDisk } from "./open-disk.ts";
