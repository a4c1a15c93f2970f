/** How bad gpud calls an event. */
export type GpudEventType = "Info" | "Warning" | "Critical" | "Fatal";

/** What gpud makes of an XID or an SXid. */
export interface GpudReaction {
  readonly eventType: GpudEventType;
  /** What it advises. */
  readonly actions: readonly GpudAction[];
}

export type GpudAction =
  | "REBOOT_SYSTEM"
  | "HARDWARE_INSPECTION"
  | "CHECK_USER_APP_AND_GPU"
  | "IGNORE_NO_ACTION_REQUIRED";

const events: Readonly<Record<string, GpudEventType>> = { F: "Fatal", W: "Warning", I: "Info" };
const actions: Readonly<Record<string, GpudAction>> = {
  R: "REBOOT_SYSTEM",
  H: "HARDWARE_INSPECTION",
  C: "CHECK_USER_APP_AND_GPU",
  N: "IGNORE_NO_ACTION_REQUIRED",
};

/** The letters of a row: `FRH`; null for `-`. */
export function reactionIn(letters: string): GpudReaction | null {
  const [event = "", ...rest] = letters;
  const eventType = events[event];
  if (eventType === undefined) return null;
  return { eventType, actions: rest.flatMap((letter) => actions[letter] ?? []) };
}
