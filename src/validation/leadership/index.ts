export type { Leader, Leadership, LeadershipTrouble } from "./leadership.ts";
export { createLeaseLeadership, type LeaseLeadershipOptions } from "./lease-leadership.ts";
export { createStoreLeadership, type StoreLeadershipOptions } from "./store-leadership.ts";
