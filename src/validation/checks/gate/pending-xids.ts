import { type XidEvent, xidBlame } from "../../../runtime/cuda/telemetry/index.ts";

const recoveryAction = 154;
/** "GPU recovery action changed from 0x1 (GPU Reset Required) to 0x0 (None)": it has recovered. */
const recovered = /\bto\b[^()]*\(None\)\s*$/i;

/**
 * XIDs that the hardware is to blame for and that no recovery followed, at most one for each GPU and
 * number: the last. Events of an unknown time count.
 */
export function pendingXids(events: readonly XidEvent[], sinceMs: number): readonly XidEvent[] {
  const pending = new Map<string, Map<number, XidEvent>>();
  for (const event of events) {
    const { atMs, pciBusId, xid, text } = event;
    if (atMs !== null && atMs < sinceMs) continue;
    if (xid === recoveryAction && recovered.test(text.trim())) {
      pending.delete(pciBusId);
    } else if (xidBlame(xid, text) === "hardware") {
      const own = pending.get(pciBusId) ?? new Map<number, XidEvent>();
      pending.set(pciBusId, own.set(xid, event));
    }
  }
  return [...pending.values()].flatMap((own) => [...own.values()]);
}
