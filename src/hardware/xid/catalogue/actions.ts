/** What NVSentinel asks for because of a line. `NONE` is an event that nobody acts on. */
export type NvSentinelAction =
  | "NONE"
  | "COMPONENT_RESET"
  | "CONTACT_SUPPORT"
  | "RESTART_VM"
  | "RESTART_BM";

/** NVIDIA's names for what to do, as NVSentinel reads them; any other means that support is called. */
const readAs: Readonly<Record<string, NvSentinelAction>> = {
  RESTART_APP: "NONE",
  IGNORE: "NONE",
  XID_154_EVAL: "NONE",
  WORKFLOW_XID_45: "NONE",
  RESET_GPU: "COMPONENT_RESET",
  WORKFLOW_XID_48: "COMPONENT_RESET",
  RESTART_VM: "RESTART_VM",
  RESTART_BM: "RESTART_BM",
};

/** How NVSentinel acts on what the catalogue says to do at once. */
export function nvSentinelActionFor(immediateAction: string | null): NvSentinelAction {
  return (immediateAction === null ? undefined : readAs[immediateAction]) ?? "CONTACT_SUPPORT";
}

/** True where remediation, when it is switched on, resets, restarts or replaces something real. */
export function touchesMachine(action: NvSentinelAction): boolean {
  return action !== "NONE" && action !== "CONTACT_SUPPORT";
}

const words: Readonly<Record<string, string>> = {
  CHECK_APP_CUDA: "Look for a mistake in the application or its use of CUDA.",
  CHECK_MECHANICALS: "Check that the board and its cables are seated.",
  CHECK_UVM: "Reset the GPU if unified memory or virtual GPUs are in use; otherwise leave it.",
  CONTACT_SUPPORT: "Ask NVIDIA or the vendor.",
  IGNORE: "Nothing.",
  IGNORE_SYMPATHETIC: "It follows another error: deal with that one; report it if it stands alone.",
  INVESTIGATE_LINK_SI: "Look at the signal of the link.",
  INVESTIGATE_SW: "Look for a fault in the application or the driver; the line may name a process.",
  INVESTIGATE_SW_USER: "Find out who or what brought the link down, if nobody meant to.",
  RESET_GPU: "Reset the GPU; the machine may stay up.",
  RESTART_APP: "Restart the application.",
  RESTART_BM: "Restart the machine.",
  RESTART_FM_IF_SOLO: "Restart the fabric manager if it stands alone; otherwise see the other XID.",
  RESTART_VM: "Restart the virtual machine that has the GPU.",
  SYMPATHETIC_REPORT_SOLO: "It follows another error; report it if it stands alone.",
  UPDATE_SWFW: "Update driver and firmware.",
  WORKFLOW_NVLINK_ERR: "Decode the seven registers in the line; which bits are set decides.",
  WORKFLOW_NVLINK5_ERR: "Decode the first two registers in the line; NVIDIA's table decides.",
  WORKFLOW_XID_13:
    "The same part of the same GPU again: run diagnostics; else see the application.",
  WORKFLOW_XID_31: "The same GPU again: run diagnostics; else see the application.",
  WORKFLOW_XID_45: "Nothing for itself: it follows another error.",
  WORKFLOW_XID_48: "Reset the GPU; with XID 63 or 64 drain the node first.",
  XID_137_FLOW: "Run the application under a memory checker: it reached into a peer it may not.",
  XID_154: "What the line says in its last brackets.",
};

/** What to do, in words. */
export function wordsFor(action: string | null): string {
  return action === null
    ? "The catalogue does not say."
    : (words[action] ?? `NVIDIA calls it ${action}.`);
}
