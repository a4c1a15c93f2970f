export type {
  Breakage,
  CollectiveFault,
  Corrupt,
  Cut,
  DeadDevice,
  FailingDevice,
  HungDevice,
  Link,
  Passing,
  Range,
  Side,
  Slow,
  Straggling,
} from "./breakage.ts";
export type { Effect } from "./effect.ts";
export type { Fate } from "./fate.ts";
export type { Health } from "./health.ts";
export { type Broken, breakDuring, breakNow, currentHealth } from "./scope.ts";
