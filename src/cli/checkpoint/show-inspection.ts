import { counted } from "../../platform/plots/units.ts";
import { formatBytes } from "../../platform/units/index.ts";
import type {
  CheckpointFacts,
  Inspection,
  TensorFacts,
} from "../../runtime/checkpoint/examine/index.ts";
import { joinPath } from "../../runtime/checkpoint/values/path.ts";
import { tableOf } from "../text-table.ts";
import { cut } from "./limit.ts";
import { valueText } from "./show-diff.ts";

const kinds: Readonly<Record<Inspection["kind"], string>> = {
  file: "a safetensors file",
  checkpoint: "a checkpoint",
  root: "a folder of checkpoints",
  folder: "a folder of safetensors files",
};

/** What lies at a path, for people. */
export function showInspection(inspection: Inspection, limit: number): readonly string[] {
  const { path, kind, checkpoint, checkpoints, tensors, files } = inspection;
  if (checkpoints !== undefined)
    return [`${path}: ${kinds[kind]}`, "", ...rootLines(inspection, limit)];
  return [
    `${path}: ${kinds[kind]}, ${counted(tensors.length, "tensor")}, ${formatBytes(inspection.tensorBytes)} in ${counted(files.length, "file")}`,
    "The data is not verified; `tessera checkpoint verify` reads it.",
    ...(checkpoint === undefined ? [] : ["", ...checkpointLines(checkpoint)]),
    ...tensorLines(tensors, limit),
    ...fileLines(inspection, limit),
    ...(checkpoint === undefined ? [] : valueLines(checkpoint.values, limit)),
  ];
}

function rootLines({ checkpoints = [] }: Inspection, limit: number): readonly string[] {
  if (checkpoints.length === 0) return ["There is no checkpoint here."];
  const { shown, more } = cut(checkpoints, limit);
  return [
    ...tableOf([
      ["CHECKPOINT", "STATUS", "STEP", "SAVED", "SIZE", ""],
      ...shown.map(({ name, status, step, createdAt, totalBytes, problem = "" }) => [
        name,
        status,
        step === null ? "-" : String(step),
        createdAt ?? "-",
        formatBytes(totalBytes),
        problem,
      ]),
    ]),
    ...more,
  ];
}

function checkpointLines(facts: CheckpointFacts): readonly string[] {
  const { tag, generation, step, createdAt, parent, software, mesh, writers } = facts;
  const axes = mesh?.axes.map((axis, at) => `${axis}=${mesh.shape[at]}`).join(",");
  const versions = Object.entries(software).map(([name, version]) => `${name} ${version}`);
  return tableOf([
    ["tag", generation === 1 ? tag : `${tag}, saved ${generation} times`],
    ["step", step === null ? "-" : String(step)],
    ["saved", createdAt],
    ["mesh", axes ?? "none"],
    ["writers", String(writers)],
    ["from", parent ?? "-"],
    ["software", versions.join(", ") || "-"],
  ]);
}

function tensorLines(tensors: readonly TensorFacts[], limit: number): readonly string[] {
  if (tensors.length === 0) return [];
  const { shown, more } = cut(tensors, limit);
  const laidOut = tensors.some(({ layout }) => layout !== undefined);
  const head = ["TENSOR", "DTYPE", "SHAPE", "SIZE", ...(laidOut ? ["LAYOUT"] : []), "FILES"];
  const rows = shown.map(({ name, dtype, shape, bytes, layout, files }) => [
    name,
    dtype,
    `[${shape.join(", ")}]`,
    formatBytes(bytes),
    ...(laidOut ? [layout ?? "-"] : []),
    files.length === 1 ? (files[0] ?? "") : String(files.length),
  ]);
  return ["", ...tableOf([head, ...rows]), ...more];
}

function fileLines({ kind, files }: Inspection, limit: number): readonly string[] {
  const { shown, more } = cut(files, limit);
  const metadata = shown.flatMap(({ metadata: all }) =>
    Object.entries(all).map(([key, value]) => `  ${key}: ${valueText(value)}`),
  );
  const rows = shown.map(({ name, bytes, tensors }) => [name, formatBytes(bytes), String(tensors)]);
  const table =
    kind === "file" ? [] : ["", ...tableOf([["FILE", "SIZE", "ENTRIES"], ...rows]), ...more];
  const ofFile = kind === "file" && metadata.length > 0 ? ["", "METADATA", ...metadata] : [];
  return [...table, ...ofFile];
}

function valueLines(values: unknown, limit: number): readonly string[] {
  const leaves = leavesOf(values);
  if (leaves.length === 0) return [];
  const { shown, more } = cut(leaves, limit);
  return ["", ...tableOf([["VALUE", ""], ...shown.map(([path, text]) => [path, text])]), ...more];
}

const leavesMax = 100_000;

/** The leaves that are no tensors, each with its path. */
function leavesOf(values: unknown): readonly (readonly [string, string])[] {
  const found: [string, string][] = [];
  const waiting: [string, unknown][] = [["", values]];
  while (waiting.length > 0 && found.length < leavesMax) {
    const [path, value] = waiting.pop() ?? ["", null];
    if (typeof value !== "object" || value === null || isLeaf(value)) {
      found.push([path, valueText(plainLeaf(value))]);
      continue;
    }
    if ("$tensor" in value) continue;
    const entries = Object.entries(value).map(
      ([key, below]) =>
        [joinPath(path === "" ? undefined : path, nameOf(key)), below] as [string, unknown],
    );
    waiting.push(...entries.toReversed());
  }
  return found;
}

function isLeaf(value: object): boolean {
  return "$number" in value || "$bigint" in value;
}

/** What stands for numbers that JSON does not have. */
function plainLeaf(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if ("$bigint" in value) return BigInt(String(value.$bigint));
  return "$number" in value ? Number(value.$number) : null;
}

/** Keys that begin with a "$" of their own are written with two. */
function nameOf(key: string): string {
  return key.startsWith("$$") ? key.slice(1) : key;
}
