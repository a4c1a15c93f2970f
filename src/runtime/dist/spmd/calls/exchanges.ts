import { TesseraError } from "../../../../platform/errors/index.ts";
import type { Tensor } from "../../../tensor/index.ts";
import { chainFrom, everyPair, ring } from "../../collectives/routes.ts";
import { type Call, tensorsOf } from "../call.ts";
import { concatenate, cut, evenParts, resolveDim } from "./chunks.ts";
import type { AllToAllOptions, BroadcastOptions, GatherOptions, GroupOptions } from "./options.ts";
import { bytesOf, totalBytes } from "./sizes.ts";
import { overText } from "./words.ts";

export function allGatherCall(tensor: Tensor, options: GatherOptions): Call {
  const dim = resolveDim("all-gather", tensor, options.dim ?? 0);
  const over = overText(options.over);
  return {
    op: "all-gather",
    tensor,
    wish: `all-gather of ${tensor.toString()} along dimension ${dim}${over}`,
    terms: {
      operation: "all-gather",
      ...openAlong(tensor, [dim]),
      dimension: `${dim}`,
    },
    phase: "all-gather",
    route: ring,
    bytes: totalBytes,
    combine: (all) => {
      const joined = concatenate(tensorsOf(all), dim);
      return all.map(() => joined);
    },
  };
}

export function broadcastCall(
  tensor: Tensor | undefined,
  options: BroadcastOptions & { readonly seat: number; readonly members: number },
): Call {
  const { root = 0, seat, members } = options;
  if (!Number.isInteger(root) || root < 0 || root >= members) {
    throw refuse("broadcast", `root ${root} is no place in a group of ${members}`);
  }
  if (seat === root && tensor === undefined) throw refuse("broadcast", "the root has no tensor");
  const over = overText(options.over);
  const of = tensor === undefined ? "" : ` of ${tensor.toString()}`;
  return {
    op: "broadcast",
    tensor,
    wish: `broadcast from member ${root}${of}${over}`,
    terms: {
      operation: "broadcast",
      shape: tensor?.shape.join(" x "),
      dtype: tensor?.dtype,
      root: `${root}`,
    },
    phase: "broadcast",
    route: (group) => chainFrom(group, root),
    bytes: (all) => bytesOf(all[root]?.tensor),
    combine: (all) => all.map(() => all[root]?.tensor),
  };
}

export function allToAllCall(
  tensor: Tensor,
  options: AllToAllOptions & { readonly members: number },
): Call {
  const { members } = options;
  const splitDim = resolveDim("all-to-all", tensor, options.splitDim ?? 0);
  const concatDim = resolveDim("all-to-all", tensor, options.concatDim ?? splitDim);
  const length = tensor.shape[splitDim] ?? 0;
  const parts = options.parts ?? evenParts(length, members);
  checkParts(parts, { length, members });
  if (options.parts !== undefined && splitDim !== concatDim) {
    throw refuse("all-to-all", "parts of different length are cut and joined along one dimension");
  }
  const over = overText(options.over);
  return {
    op: "all-to-all",
    tensor,
    parts,
    wish: `all-to-all of ${tensor.toString()} from dimension ${splitDim} to ${concatDim}${over}`,
    terms: {
      operation: "all-to-all",
      // Who says how long the parts are may bring another length than the others.
      ...openAlong(tensor, options.parts === undefined ? [] : [splitDim]),
      dimensions: `${splitDim} to ${concatDim}`,
    },
    phase: "exchange",
    route: everyPair,
    bytes: totalBytes,
    combine: (all) => {
      const cuts = all.map((call) => cut(call.tensor ?? tensor, splitDim, call.parts ?? parts));
      return all.map((_, seat) =>
        concatenate(
          cuts.flatMap((pieces) => pieces.slice(seat, seat + 1)),
          concatDim,
        ),
      );
    },
  };
}

export function barrierCall(options: GroupOptions): Call {
  const over = overText(options.over);
  return {
    op: "barrier",
    tensor: undefined,
    wish: `barrier${over}`,
    terms: { operation: "barrier" },
    phase: "arrive",
    route: ring,
    bytes: () => 0,
    combine: (all) => all.map(() => undefined),
  };
}

/** Shape and dtype as terms, with the length of some dimensions left open. */
function openAlong({ shape, dtype }: Tensor, open: readonly number[]) {
  return {
    shape: shape.map((length, dim) => (open.includes(dim) ? "?" : length)).join(" x "),
    dtype,
  };
}

function checkParts(
  parts: readonly number[],
  { length, members }: { readonly length: number; readonly members: number },
): void {
  const isWhole = parts.every((part) => Number.isInteger(part) && part >= 0);
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (parts.length === members && isWhole && total === length) return;
  throw refuse(
    "all-to-all",
    `parts [${parts.join(", ")}] do not cut ${length} for ${members} members`,
  );
}

function refuse(op: string, problem: string): TesseraError {
  const remedy = "Correct what this rank passes; no other rank was affected.";
  return new TesseraError("E_COLLECTIVE", { op, problem, remedy });
}
