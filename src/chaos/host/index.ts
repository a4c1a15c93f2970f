export { type CgroupProbeOptions, cgroupProbe } from "./cgroup-probe.ts";
export { networkProbe } from "./network-probe.ts";
