import type { HardwareFaultView } from "../../../../src/control/api/faults.ts";

/** What decides it besides the list. */
export interface FaultWish {
  /** The one that the address asks for. */
  readonly chosen: string | undefined;
  /** The last one that was made from this page, in the browser's time. */
  readonly made: { readonly id: string; readonly atMs: number } | undefined;
  /** When the list came. */
  readonly knownAtMs: number | undefined;
}

/**
 * The fault whose details are shown. One that is asked for and not in the list is missing: another in its place
 * would bring its own button to undo it.
 */
export function shownFault<Fault extends Pick<HardwareFaultView, "id" | "isLive">>(
  faults: readonly Fault[],
  { chosen, made, knownAtMs }: FaultWish,
): { readonly fault?: Fault; readonly missing?: string } {
  const fault = faults.find(({ id, isLive }) => (chosen === undefined ? isLive : id === chosen));
  if (fault !== undefined) return { fault };
  if (chosen === undefined) return {};
  const isComing = made?.id === chosen && (knownAtMs ?? 0) <= made.atMs;
  return isComing ? {} : { missing: chosen };
}
