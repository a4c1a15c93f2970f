export { BoundedQueue, type BoundedQueueOptions, type OverflowPolicy } from "./bounded-queue.ts";
export { type MapConcurrentOptions, mapConcurrent } from "./map-concurrent.ts";
export { OverflowError } from "./overflow-error.ts";
export { Semaphore, type SemaphoreOptions } from "./semaphore.ts";
export { atOnce, inTurns, type Steps } from "./steps.ts";
