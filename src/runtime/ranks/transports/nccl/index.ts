export { ncclOps } from "./calls.ts";
export { createNcclTransport, type NcclTransportOptions } from "./nccl-transport.ts";
export { type OpenNcclOptions, openNcclTransport } from "./open-nccl-transport.ts";
