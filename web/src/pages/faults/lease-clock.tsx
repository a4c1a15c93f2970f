import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";
import { connection } from "../../api/live.ts";
import { inServerTime } from "../../api/server-clock.ts";
import { leaseOf, leaseText } from "./lease.ts";

const tickMs = 1000;

/** When the answer came that the faults on this page are from, in the browser's time. */
export const KnownAt = createContext<number | undefined>(undefined);

/** How long a fault still lasts, counted down by the server's clock. */
export function LeaseClock({ fault }: { readonly fault: HardwareFaultView }) {
  const [browserMs, setBrowserMs] = useState(() => Date.now());
  const knownAt = useContext(KnownAt);
  useEffect(() => {
    const timer = setInterval(() => setBrowserMs(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, []);
  const nowMs = inServerTime(browserMs);
  const lease = leaseOf(fault, {
    nowMs,
    knownAtMs: inServerTime(knownAt ?? 0),
    isLost: connection.value.state === "lost",
  });
  const tone = lease.kind === "over" ? "tone-fail" : lease.kind === "unknown" ? "tone-warn" : "";
  return <span class={tone}>{leaseText(lease, nowMs)}</span>;
}
