export { createNcclLoopback } from "./nccl-loopback.ts";
export { ncclLoopbackTask } from "./rank-task.ts";
