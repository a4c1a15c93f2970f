import { createHash } from "node:crypto";
import type { CheckpointFiles } from "../../../src/runtime/checkpoint/files/index.ts";

/** A checkpoint that proves itself, by a check that shares no code with the product. */
export interface ProvenCheckpoint {
  readonly name: string;
  readonly tag: string;
  readonly generation: number;
  readonly step: number | null;
  /** All bytes of each tensor whose chunks are whole, by chunk. */
  readonly chunks: ReadonlyMap<string, Uint8Array>;
  readonly digests: ReadonlyMap<string, string>;
}

// oxlint-disable-next-line typescript/no-explicit-any -- documents of unknown shape, judged only by their hashes
type Document = any;

/** Every folder of a root with a COMMIT that holds to the last byte and whose tensors have their digests. */
export async function provenIn(files: CheckpointFiles, root: string): Promise<ProvenCheckpoint[]> {
  const proven: ProvenCheckpoint[] = [];
  const entries = await files.list(root).catch(() => []);
  for (const { name, kind } of entries) {
    if (kind !== "folder" || name.startsWith(".")) continue;
    const found = await prove(files, `${root}/${name}`, name);
    if (found !== undefined) proven.push(found);
  }
  return proven;
}

async function prove(
  files: CheckpointFiles,
  folder: string,
  name: string,
): Promise<ProvenCheckpoint | undefined> {
  const commit: Document = jsonOf(await read(files, `${folder}/COMMIT`));
  const manifestBytes = await read(files, `${folder}/manifest.json`);
  if (commit === undefined || manifestBytes === undefined) return undefined;
  if (sha256(manifestBytes) !== commit.manifestSha256) return undefined;
  const manifest: Document = jsonOf(manifestBytes);
  const { tag, generation, step } = manifest;
  if (name !== (generation === 1 ? tag : `${tag}~${generation}`)) return undefined;
  const there = (await files.list(folder)).map((entry) => entry.name);
  const wanted = [
    "COMMIT",
    "manifest.json",
    ...(manifest.files as readonly Document[]).map((file) => String(file.name)),
  ];
  if (there.toSorted().join() !== wanted.toSorted().join()) return undefined;
  const contents = new Map<string, Uint8Array>();
  for (const { name, bytes, headerBytes, headerSha256 } of manifest.files) {
    const content = await read(files, `${folder}/${name}`);
    if (content === undefined || content.length !== bytes) return undefined;
    if (sha256(content.subarray(0, headerBytes)) !== headerSha256) return undefined;
    contents.set(name, content);
  }
  const chunks = new Map<string, Uint8Array>();
  for (const tensor of manifest.tensors) {
    for (const { file, key, offset, bytes, pieces } of tensor.chunks) {
      const content = contents.get(file)?.subarray(offset, offset + bytes) ?? new Uint8Array(0);
      let at = 0;
      for (const piece of pieces) {
        if (sha256(content.subarray(at, at + piece.bytes)) !== piece.sha256) return undefined;
        at += piece.bytes;
      }
      if (at !== bytes) return undefined;
      chunks.set(key, content);
    }
  }
  for (const tensor of manifest.tensors) {
    if (digestOfWhole(tensor, chunks) !== tensor.digest) return undefined;
  }
  const digests = new Map<string, string>(
    manifest.tensors.map((tensor: Document) => [tensor.name, tensor.digest]),
  );
  return { name, tag, generation, step, chunks, digests };
}

/** The digest of a tensor that is put together from its chunks, element by element. */
function digestOfWhole({ dtype, shape, chunks }: Document, bytes: Map<string, Uint8Array>): string {
  const size = shape.reduce((product: number, length: number) => product * length, 1);
  const [first] = chunks;
  const width = first === undefined ? 1 : first.bytes / sizeOfBox(first.box);
  const whole = new Uint8Array(size * width);
  for (const { key, box } of chunks) {
    const content = bytes.get(key) ?? new Uint8Array(0);
    for (let at = 0; at < sizeOfBox(box); at++) {
      let rest = at;
      let place = 0;
      let stride = 1;
      for (let dim = box.length - 1; dim >= 0; dim--) {
        const { start, step, count } = box[dim];
        place += (start + (rest % count) * step) * stride;
        rest = Math.floor(rest / count);
        stride *= shape[dim];
      }
      whole.set(content.subarray(at * width, (at + 1) * width), place * width);
    }
  }
  const root = createHash("sha256").update("\u0001");
  root.update(`tessera tensor 1 ${dtype} [${shape.join(",")}]\n`);
  for (let at = 0; at < whole.length; at += 2 ** 20) {
    const leaf = createHash("sha256")
      .update("\u0000")
      .update(whole.subarray(at, at + 2 ** 20));
    root.update(leaf.digest());
  }
  return `sha256:${root.digest("hex")}`;
}

function sizeOfBox(box: readonly { readonly count: number }[]): number {
  return box.reduce((product, { count }) => product * count, 1);
}

function jsonOf(bytes: Uint8Array | undefined): Document {
  try {
    return bytes === undefined ? undefined : JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return undefined;
  }
}

async function read(files: CheckpointFiles, path: string): Promise<Uint8Array | undefined> {
  const file = await files.open(path).catch(() => undefined);
  if (file === undefined) return undefined;
  const bytes = new Uint8Array(file.bytes);
  await file.read(bytes, 0);
  await file.close();
  return bytes;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
