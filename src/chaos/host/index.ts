export { type CgroupProbeOptions, cgroupProbe } from "./cgroup-probe.ts";
export { type WatchdogOrder, watchOver } from "./cleanup/watchdog.ts";
export { type HostWorkerStart, startBytesMax } from "./control/worker-order.ts";
export { createHostWorld, type HostWorldOptions, hostFolderDefault } from "./host-world.ts";
export { networkProbe } from "./network-probe.ts";
export { recoverHost } from "./run/run-on-host.ts";
export { type ChaosWorkerOptions, runChaosWorker } from "./worker/run-chaos-worker.ts";
