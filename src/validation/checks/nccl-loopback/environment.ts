import type { LoopbackMode } from "./options.ts";

/** Variables of the ranks; `undefined` takes one away that the user has set. */
export type LoopbackEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * What forces NCCL through the network although its GPUs are in one machine. Peer access and shared
 * memory must both be off: with either of them left, NCCL keeps away from the network cards without
 * a word.
 */
const networkOnly: LoopbackEnvironment = {
  NCCL_P2P_DISABLE: "1",
  NCCL_SHM_DISABLE: "1",
  // Would forbid the network inside of a machine.
  NCCL_NET_DISABLE_INTRA: undefined,
  // No relay over NVLink, no adding in its switch or in the network's.
  NCCL_PXN_DISABLE: "1",
  NCCL_NVLS_ENABLE: "0",
  NCCL_MNNVL_ENABLE: "0",
  NCCL_COLLNET_ENABLE: "0",
  NCCL_NET_PLUGIN: "none",
  NCCL_ALGO: "Ring",
  NCCL_PROTO: "Simple",
  NCCL_CROSS_NIC: "0",
  CUDA_DEVICE_ORDER: "PCI_BUS_ID",
  // The proof rests on what these let NCCL say.
  NCCL_DEBUG: "INFO",
  NCCL_DEBUG_SUBSYS: "INIT,NET,GRAPH",
};

/** The variables of a mode. */
export function loopbackEnvironment(
  mode: LoopbackMode,
  o: {
    /** For NCCL_IB_HCA. */
    readonly hcas?: string | undefined;
    /** Where NCCL's log goes: on the output of a process it would be lost with the process. */
    readonly logFile: string;
    /** The machine that NCCL takes this rank to be on. @default the one it is on */
    readonly hostId?: string | undefined;
  },
): LoopbackEnvironment {
  if (mode === "tcp") return {};
  const common = { ...networkOnly, NCCL_DEBUG_FILE: o.logFile, NCCL_HOSTID: o.hostId };
  if (mode === "socket") return { ...common, NCCL_NET: "Socket", NCCL_IB_DISABLE: "1" };
  return {
    ...common,
    // Fails where there is no InfiniBand, instead of taking sockets.
    NCCL_NET: "IB",
    NCCL_IB_DISABLE: undefined,
    NCCL_IB_HCA: o.hcas,
    NCCL_NET_GDR_LEVEL: "SYS",
    NCCL_IB_PCI_RELAXED_ORDERING: "1",
    NCCL_MIN_NCHANNELS: "16",
  };
}
