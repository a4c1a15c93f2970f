import type { FaultName } from "../../fault/fault-names.ts";
import type { PlannedFault, Timeouts } from "../../plan/index.ts";
import { linuxRetransmission, longestWaitUs } from "../../transport/index.ts";
import { type FaultClass, faultClasses } from "./fault-classes.ts";

const ofClass = new Map(faultClasses.map(({ fault, loses }) => [fault, loses]));
/** A try that meets them is in vain, and the next one comes later the longer they have lasted. */
const shutting: ReadonlySet<FaultName> = new Set(["link_flap", "packet_loss"]);

/** Whom a fault may cost the job: by its class, or because a rank is not heard of for too long. */
export function losesOf(fault: PlannedFault, timeouts: Timeouts): FaultClass["loses"] {
  const loses = ofClass.get(fault.fault) ?? "nobody";
  if (loses !== "nobody" || !shutting.has(fault.fault)) return loses;
  return maySilence(fault, timeouts) ? "rank" : "nobody";
}

/**
 * Whether the retransmission after it may come later than anybody waits. The first beat that it holds is sent
 * up to a whole beat after the last one that was heard.
 */
function maySilence(
  { durationUs }: PlannedFault,
  { heartbeatEveryUs, heartbeatUs, collectiveUs }: Timeouts,
): boolean {
  const waitUs = longestWaitUs(durationUs ?? Number.POSITIVE_INFINITY, linuxRetransmission);
  return heartbeatEveryUs + waitUs >= heartbeatUs || waitUs >= collectiveUs;
}
