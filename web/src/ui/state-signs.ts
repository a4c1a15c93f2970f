import type { Tone } from "./tone.ts";

const stateSigns: Readonly<Record<string, readonly [Tone, string]>> = {
  running: ["accent", "▸"],
  leading: ["pass", "✓"],
  live: ["fail", "●"],
  armed: ["fail", "●"],
  injected: ["fail", "●"],
  observed: ["fail", "●"],
  reverting: ["warn", "◼"],
  "revert-failed": ["fail", "✕"],
  waiting: ["info", "◷"],
  planned: ["info", "◷"],
  submitted: ["info", "◷"],
  starting: ["info", "◷"],
  opening: ["info", "◷"],
  stopping: ["warn", "◼"],
  cancelling: ["warn", "◼"],
  draining: ["warn", "◼"],
  failed: ["fail", "✕"],
  error: ["fail", "✕"],
  timeout: ["suspect", "✕"],
  missing: ["fail", "✕"],
  interrupted: ["suspect", "✕"],
  limited: ["warn", "!"],
  candidate: ["info", "◇"],
  active: ["pass", "◆"],
  works: ["pass", "✓"],
  unknown: ["unknown", "?"],
};

/**
 * How a state is shown. One without a sign of its own is neutral; so is what is merely over: that it ended
 * says nothing about how.
 */
export function stateSign(state: string): readonly [Tone, string] {
  return stateSigns[state.toLowerCase()] ?? ["untested", "○"];
}
