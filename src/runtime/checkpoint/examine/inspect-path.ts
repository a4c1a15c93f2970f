import { basename } from "node:path";
import { Layout } from "../../dist/layout/index.ts";
import type { CheckpointFiles } from "../files/index.ts";
import { scan } from "../load/scan.ts";
import type { Manifest } from "../manifest/index.ts";
import type { CheckpointFacts, FileFacts, Inspection, TensorFacts } from "./inspection.ts";
import { lookAt } from "./look-at.ts";
import { type OpenedPath, openPath } from "./open-path.ts";
import type { StoredTensor } from "./stored-tensor.ts";

/**
 * What lies at a path: tensors, dtypes, shapes, layouts, sizes, steps, writers. Of a root, its
 * checkpoints, damaged and unfinished ones too. No data is read, so that nothing is said about it.
 *
 * @throws E_CHECKPOINT_MISSING when there is nothing; E_SAFETENSORS, E_CHECKPOINT_CORRUPT
 */
export async function inspectPath(files: CheckpointFiles, path: string): Promise<Inspection> {
  const looked = await lookAt(files, path);
  if (looked.kind === "root") {
    const checkpoints = (await scan(files, looked.path)).map(({ summary }) => summary);
    const fileBytes = checkpoints.reduce((sum, { totalBytes }) => sum + totalBytes, 0);
    return { path, kind: "root", tensors: [], files: [], tensorBytes: 0, fileBytes, checkpoints };
  }
  const opened = await openPath(files, path);
  const layouts = layoutsOf(opened.manifest);
  const tensors = [...opened.tensors.values()].map((tensor) =>
    factsOf(tensor, layouts.get(tensor.name)),
  );
  tensors.sort((a, b) => (a.name < b.name ? -1 : 1));
  const facts = filesOf(opened);
  const { manifest, folder } = opened;
  return {
    path,
    kind: opened.kind,
    tensors,
    files: facts,
    tensorBytes: tensors.reduce((sum, { bytes }) => sum + bytes, 0),
    fileBytes: facts.reduce((sum, { bytes }) => sum + bytes, 0),
    ...(manifest === undefined ? {} : { checkpoint: checkpointFacts(manifest, basename(folder)) }),
  };
}

function factsOf(tensor: StoredTensor, layout: string | undefined): TensorFacts {
  const { name, dtype, declaredShape, elementBytes, chunks, digest } = tensor;
  return {
    name,
    dtype,
    shape: declaredShape,
    bytes: tensor.shape.reduce((size, length) => size * length, 1) * elementBytes,
    ...(layout === undefined ? {} : { layout }),
    ...(digest === undefined ? {} : { digest }),
    files: [...new Set(chunks.map(({ file }) => file))],
  };
}

/** How tensors lay on their mesh, by name. */
function layoutsOf(manifest: Manifest | undefined): ReadonlyMap<string, string> {
  const axes = manifest?.mesh?.axes ?? [];
  const laid = (manifest?.tensors ?? []).flatMap(({ name, layout }) =>
    layout === null ? [] : [[name, new Layout(axes, layout).describe()] as const],
  );
  return new Map(laid);
}

function filesOf({ headers, manifest }: OpenedPath): FileFacts[] {
  if (manifest === undefined) {
    return [...headers].map(([name, { fileBytes, entries, metadata }]) => {
      return { name, bytes: fileBytes, tensors: entries.length, metadata };
    });
  }
  const counts = new Map<string, number>();
  for (const { file } of manifest.tensors.flatMap(({ chunks }) => chunks)) {
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return manifest.files.map(({ name, bytes }) => {
    return { name, bytes, tensors: counts.get(name) ?? 0, metadata: {} };
  });
}

function checkpointFacts(manifest: Manifest, name: string): CheckpointFacts {
  const { tag, generation, step, createdAt, parent, software, mesh, writers } = manifest;
  const { planHash, values } = manifest;
  const about = { name, tag, generation, step, createdAt, parent, software, mesh, writers };
  return { ...about, planHash, values };
}
