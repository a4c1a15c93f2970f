export { allGatherCall, allToAllCall, barrierCall, broadcastCall } from "./exchanges.ts";
export { receiveCall, sendCall } from "./messages.ts";
export type {
  AllToAllOptions,
  BroadcastOptions,
  GatherOptions,
  GroupOptions,
  MessageOptions,
  ReceiveOptions,
  ReduceOptions,
  ReduceScatterOptions,
} from "./options.ts";
export { allReduceCall, reduceScatterCall } from "./reductions.ts";
