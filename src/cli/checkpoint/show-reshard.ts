import { join } from "node:path";
import { formatBytes } from "../../platform/units/index.ts";
import type { ReshardResult } from "../../runtime/checkpoint/examine/index.ts";
import { tableOf } from "../text-table.ts";
import { cut } from "./limit.ts";
import type { ReshardPlan } from "./reshard-plan.ts";
import type { ReshardRequest } from "./reshard-request.ts";

const tensorsShown = 50;

/** What would be written, for people. */
export function showReshardPlan(request: ReshardRequest, plan: ReshardPlan): readonly string[] {
  const { name, tag, tensors, totalBytes, notes } = plan;
  const { shown, more } = cut(tensors, tensorsShown);
  return [
    `${name} of ${request.from} would be written to ${join(request.out, tag)}; nothing is written now.`,
    "",
    ...tableOf([
      ["mesh", meshText(plan)],
      ["new mesh", axesText(request.mesh)],
      ["tensors", `${tensors.length}, ${formatBytes(totalBytes)}`],
    ]),
    "",
    ...tableOf([
      ["TENSOR", "DTYPE", "SHAPE", "SIZE", "LIES", "WOULD LIE"],
      ...shown.map((tensor) => [
        tensor.name,
        tensor.dtype,
        `[${tensor.shape.join(", ")}]`,
        formatBytes(tensor.bytes),
        tensor.before ?? "whole",
        tensor.after ?? "whole",
      ]),
    ]),
    ...more,
    ...withSpace(notes),
  ];
}

/** What was written, for people. */
export function showReshardResult(
  request: ReshardRequest,
  plan: ReshardPlan,
  { saved, tensors, readBytes, writtenBytes, notes }: ReshardResult,
): readonly string[] {
  return [
    `${plan.name} of ${request.from} is now also at ${join(request.out, saved.name)}.`,
    "",
    ...tableOf([
      ["mesh", `${meshText(plan)} -> ${axesText(request.mesh)}`],
      ["tensors", `${tensors}, each with the digest it had`],
      ["read", formatBytes(readBytes)],
      ["written", `${formatBytes(writtenBytes)} in ${saved.files} files`],
    ]),
    ...withSpace(notes),
  ];
}

function meshText({ manifest: { mesh } }: ReshardPlan): string {
  return mesh === null ? "none" : axesText(mesh);
}

function axesText({
  axes,
  shape,
}: {
  readonly axes: readonly string[];
  readonly shape: readonly number[];
}): string {
  return axes.map((axis, at) => `${axis}=${shape[at]}`).join(",");
}

function withSpace(notes: readonly string[]): readonly string[] {
  return notes.length === 0 ? [] : ["", ...notes];
}

/** What would be written, for programs. */
export function reshardPlanDocument(request: ReshardRequest, plan: ReshardPlan) {
  const { tensors, totalBytes, notes } = plan;
  return { dryRun: true, ...placesOf(request, plan), tensors, totalBytes, notes };
}

/** What was written, for programs. */
export function reshardDocument(request: ReshardRequest, plan: ReshardPlan, result: ReshardResult) {
  return { dryRun: false, ...placesOf(request, plan), ...result };
}

function placesOf({ root, mesh }: ReshardRequest, { folder, tag, manifest }: ReshardPlan) {
  const { axes, shape } = mesh;
  return { from: folder, to: join(root, tag), mesh: manifest.mesh, newMesh: { axes, shape } };
}
