import { exitCodes } from "../exit-codes.ts";
import type { ErrorRow } from "./error-row.ts";

/** Collectives, programs of ranks, and the time model. */
export const collectivesRows = {
  // Topologies and the time model.
  E_TOPOLOGY: {
    message: "The topology {topology} cannot be used: {problem}",
    hint: "Name gb200-nvl72, gb300-nvl72, hgx-h100, hgx-h200, hgx-b200 or mi355x, with +ndr or +xdr for another network, or a YAML file; docs/time-model.md describes its fields.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_ALGORITHM: {
    message: "The algorithm {algorithm} cannot carry out {op} on {topology}: {problem}.",
    hint: "Leave the algorithm out to get the best one, or choose among {possible}.",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  // Distributed tensors and collectives. What is broken is a failure (exit 1), not bad input: the
  // hardware may come back (503), ranks that disagree will not agree by themselves (409).
  E_COLLECTIVE: {
    message: "{op} cannot run: {problem}.",
    hint: "{remedy}",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_LAYOUT_OP: {
    message: "{op} cannot run on these layouts: {problem}.",
    hint: "{remedy}",
    exitCode: exitCodes.usage,
    httpStatus: 400,
  },
  E_DESYNC: {
    message: "{op} stopped before it began, because ranks disagree: {problem}.",
    hint: "Nothing was returned. Give every rank of the group the same {what}; x.shardingReport() lists every rank that differs.",
    exitCode: exitCodes.failed,
    httpStatus: 409,
  },
  E_DEVICE_LOST: {
    message: "{op} lost device {device} (rank {rank}, {coordinates}) in phase {phase}.",
    hint: "Nothing was returned. Use groups that do not contain the device, or go on with mesh.without({devices}) and the last checkpoint.",
    exitCode: exitCodes.failed,
    httpStatus: 503,
  },
  E_PARTITION: {
    message:
      "{op} cannot get from device {from} (rank {fromRank}) to device {to} (rank {toRank}) in phase {phase}: the link is cut.",
    hint: "Nothing was returned. Groups on one side of the cut still work: use a sub-mesh or `only`, or go on with one side and the last checkpoint.",
    exitCode: exitCodes.failed,
    httpStatus: 503,
  },
  // Programs of ranks (`dist.spmd`) and injected faults.
  E_DEADLOCK: {
    message: "{ranks} cannot go on, because they wait for each other: {cycle}.",
    hint: "Nothing was returned. Let all ranks make their calls in the same order, and pair each send with a receive; two ranks that exchange await their sends last.",
    exitCode: exitCodes.failed,
    httpStatus: 409,
  },
  E_RANK_FAILED: {
    message: "The program of rank {rank} (device {device}) failed: {problem}",
    hint: "Every rank that waited for it got this error. Correct the program, or what it was given on this rank.",
    exitCode: exitCodes.failed,
    httpStatus: 500,
  },
} as const satisfies Record<string, ErrorRow>;
