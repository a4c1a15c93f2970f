export { type Clock, sleep, type Timer } from "./clock.ts";
export { type DeadlineOptions, withDeadline } from "./deadline.ts";
export { createRealClock } from "./real-clock.ts";
export { type RetryDecision, type RetryOptions, retry } from "./retry.ts";
export { createScaledClock, type ScaledClockOptions } from "./scaled-clock.ts";
export { settle } from "./settle.ts";
export { VirtualClock } from "./virtual-clock.ts";
