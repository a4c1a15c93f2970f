import { linuxRetransmission } from "../../transport/index.ts";
import type { NetworkProfile } from "./network.ts";

/**
 * Modelled on today's clusters: NVLink inside a node, 400 Gbit/s between nodes with one more switch between
 * racks, 10 Gbit/s of Ethernet to the controller.
 */
export const usualNetwork: NetworkProfile = {
  node: { latencyUs: 3, bytesPerUs: 450_000, jitterUs: 0 },
  rack: { latencyUs: 8, bytesPerUs: 50_000, jitterUs: 2 },
  fleet: { latencyUs: 14, bytesPerUs: 50_000, jitterUs: 4 },
  control: { latencyUs: 100, bytesPerUs: 1250, jitterUs: 50 },
  ...linuxRetransmission,
  packetBytes: 4096,
};
