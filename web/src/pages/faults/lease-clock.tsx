import { useEffect, useState } from "preact/hooks";
import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";
import { leaseOf, leaseText } from "./fault-words.ts";

const tickMs = 1000;

/** How long a fault still lasts, counted down. */
export function LeaseClock({ fault }: { readonly fault: HardwareFaultView }) {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const lease = leaseOf(fault, nowMs);
  return <span class={lease.kind === "over" ? "tone-fail" : ""}>{leaseText(lease)}</span>;
}
