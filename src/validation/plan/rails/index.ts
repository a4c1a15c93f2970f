export { cooldownRail } from "./cooldown.ts";
export { notBeforeRail } from "./not-before.ts";
export { notFreeRail } from "./not-free.ts";
export { quietHoursRail } from "./quiet-hours.ts";
export type { Refusal } from "./refusal.ts";
export { type Load, Room } from "./room.ts";
export { setbackRail } from "./setback.ts";
