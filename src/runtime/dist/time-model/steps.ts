import type { Topology } from "../topology/index.ts";
import { timeInDomain } from "./families.ts";

const probeBytes = 2 ** 30;

/** What a single step costs in a domain: taken from the measured ring, for algorithms nobody measured. */
export interface StepCosts {
  /** Before the first step. */
  readonly launchUs: number;
  readonly hopUs: number;
  /** For each byte a device sends. */
  readonly usPerByte: number;
}

/** The launch, the hop and the rate of a domain's rings. */
export function stepCosts(topology: Topology, devices: number): StepCosts {
  const at = (size: number, bytes: number) =>
    timeInDomain(topology, { op: "all-gather", devices: size, bytes, only: "ring" }).timeUs;
  const [two, eight] = [at(2, 0), at(8, 0)];
  const hopUs = Math.max(0.1, (eight - two) / 6);
  const share = (devices - 1) / devices;
  const usPerByte = (at(devices, 2 * probeBytes) - at(devices, probeBytes)) / probeBytes / share;
  return { launchUs: Math.max(0, two - hopUs), hopUs, usPerByte };
}

/** Rounds in which every device has met another: those of a tree or of halving and doubling. */
export function doublings(devices: number): number {
  return Math.ceil(Math.log2(devices));
}

/** Rounds of halving and doubling one way; a group that is no power of two needs one more. */
export function exchangeRounds(devices: number): number {
  const rounds = doublings(devices);
  return 2 ** rounds === devices ? rounds : rounds + 1;
}

/** What trees reach of a ring's rate (NCCL 2.30, tuning.cc). */
const treeShare = 0.92;

/**
 * Bytes in chunks through a chain or tree: with the best size of chunk, neither the way through it nor
 * the transfer is all of the time, nor their sum.
 *
 * @param wayUs what a chunk without bytes needs from one end to the other.
 * @param transferUs what the bytes need over one link.
 */
export function pipelined(wayUs: number, transferUs: number): number {
  return (Math.sqrt(wayUs) + Math.sqrt(transferUs)) ** 2;
}

/** The same on two trees that share the bytes. */
export function pipelinedTree(wayUs: number, transferUs: number): number {
  return pipelined(wayUs, transferUs / treeShare);
}
