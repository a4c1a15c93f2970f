export type { Breakage, Corrupt, Cut, DeadDevice, Link, Range, Side, Slow } from "./breakage.ts";
export type { Health } from "./health.ts";
export { breakDuring, breakNow, currentHealth } from "./scope.ts";
