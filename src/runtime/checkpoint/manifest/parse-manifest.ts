import { rebuildState, ValuesError } from "../values/index.ts";
import { isTag, manifestFileName, parseCheckpointName } from "./checkpoint-name.ts";
import { manifestDocument } from "./documents.ts";
import { type FieldReader, fieldReader } from "./fields.ts";
import type { Manifest, ManifestMesh, ManifestTensor } from "./manifest.ts";
import { manifestBytesMax } from "./parse-commit.ts";
import { checkPlaces, parseFiles } from "./parse-files.ts";
import { dimsMax, parseTensor } from "./parse-tensor.ts";
import { planHashOf } from "./plan-hash.ts";
import { readJson, requireCanonical } from "./read-json.ts";
import { type CorruptWhere, type Refuse, refuserOf } from "./refuse.ts";

const keys = [
  "format",
  "version",
  "tag",
  "generation",
  "step",
  "createdAt",
  "parent",
  "software",
  "mesh",
  "writers",
  "tensors",
  "values",
  "files",
  "planHash",
];
const tensorsMax = 1_000_000;
const softwareMax = 100;
const meshSizeMax = 1_048_576;
const datePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/**
 * Reads `manifest.json`. What it accepts is whole: every tensor's boxes cover it once, every byte of
 * every file belongs to one chunk, and the text is exactly what `formatManifest` writes.
 *
 * @throws E_CHECKPOINT_CORRUPT naming the rule, and the tensor where there is one
 */
export function parseManifest(
  bytes: Uint8Array,
  where: Omit<CorruptWhere, "file"> & { readonly file?: string },
): Manifest {
  const refuse = refuserOf({ file: manifestFileName, ...where });
  const read = fieldReader(refuse);
  const fields = read.record(readJson(bytes, manifestBytesMax, refuse), "it", keys);
  const { tag, step, parent } = fields;
  const mesh = parseMesh(fields["mesh"], read, refuse);
  const context = { read, refuse, mesh };
  const manifest: Manifest = {
    format: read.literal(fields["format"], "format", "tessera-checkpoint"),
    version: read.literal(fields["version"], "version", 1),
    tag: isTag(tag) ? tag : refuse("tag", "its tag can name no checkpoint"),
    generation: read.integer(fields["generation"], "generation", { min: 1, max: 999_999_999 }),
    step: step === null ? null : read.integer(step, "step"),
    createdAt: parseDate(fields["createdAt"], refuse),
    parent: parent === null || isName(parent) ? parent : refuse("parent", "its parent is no name"),
    software: parseSoftware(fields["software"], read),
    mesh,
    writers: read.integer(fields["writers"], "writers"),
    tensors: read
      .list(fields["tensors"], "tensors", tensorsMax)
      .map((tensor, at) => parseTensor(tensor, `tensors[${at}]`, context)),
    values: fields["values"],
    files: parseFiles(fields["files"], read, refuse),
    planHash: read.sha256(fields["planHash"], "planHash"),
  };
  checkWhole(manifest, refuse);
  requireCanonical(bytes, manifestDocument(manifest), { indent: 2, refuse });
  return manifest;
}

/** What the parts say about each other. */
function checkWhole(manifest: Manifest, refuse: Refuse): void {
  const { tensors, files, writers } = manifest;
  for (const [at, { name }] of tensors.entries()) {
    const before = tensors[at - 1]?.name;
    if (before === undefined || before < name) continue;
    const problem = before === name ? "is there twice" : `comes after ${before}`;
    refuse("order", `the tensor ${name} ${problem}`, name);
  }
  if (writers !== files.length) {
    refuse("writers", `${writers} writers have written ${files.length} files`);
  }
  checkPlaces(files, tensors, refuse);
  checkValues(manifest, refuse);
  const boxed = tensors.map(({ name, dtype, shape, chunks }) => {
    return { name, dtype, shape, boxes: chunks.map(({ box }) => box) };
  });
  if (planHashOf(boxed) !== manifest.planHash) {
    refuse("plan-hash", "its plan hash is not that of its tensors");
  }
}

/** The values name every tensor once, at its own path. */
function checkValues({ values, tensors }: Manifest, refuse: Refuse): void {
  const names = new Set(tensors.map(({ name }: ManifestTensor) => name));
  let named = 0;
  try {
    rebuildState(values, (name) => {
      if (!names.has(name)) refuse("values-tensor", `its values name a tensor ${name}`, name);
      named++;
      return null;
    });
  } catch (error) {
    if (!(error instanceof ValuesError)) throw error;
    refuse(error.rule, error.message);
  }
  if (named !== names.size) {
    refuse("values-tensor", `its values name ${named} of ${names.size} tensors`);
  }
}

function parseMesh(value: unknown, read: FieldReader, refuse: Refuse): ManifestMesh | null {
  if (value === null) return null;
  const fields = read.record(value, "mesh", ["axes", "shape"]);
  const axes = read
    .list(fields["axes"], "mesh.axes", dimsMax)
    .map((axis) => read.text(axis, "an axis of the mesh", 255));
  const shape = read
    .list(fields["shape"], "mesh.shape", dimsMax)
    .map((size) => read.integer(size, "a size of the mesh", { min: 1, max: meshSizeMax }));
  const devices = shape.reduce((product, size) => product * size, 1);
  const good = axes.length > 0 && axes.length === shape.length && devices <= meshSizeMax;
  if (!good || new Set(axes).size !== axes.length) {
    refuse("mesh", "its mesh has not one size for each of some different axes");
  }
  return { axes, shape };
}

function parseSoftware(value: unknown, read: FieldReader): Record<string, string> {
  const optional = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const fields = read.record(value, "software", [], optional);
  read.list(optional, "software", softwareMax);
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, read.text(text, `software.${name}`)]),
  );
}

function parseDate(value: unknown, refuse: Refuse): string {
  if (typeof value === "string" && datePattern.test(value)) {
    const date = new Date(value);
    if (!Number.isNaN(date.getTime()) && date.toISOString() === value) return value;
  }
  return refuse("date", "createdAt is no date like 2026-11-15T12:00:00.000Z");
}

function isName(value: unknown): value is string {
  return typeof value === "string" && parseCheckpointName(value) !== undefined;
}
