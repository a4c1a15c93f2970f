import { shardFileName } from "./checkpoint-name.ts";
import type { FieldReader } from "./fields.ts";
import type { ManifestFile, ManifestTensor } from "./manifest.ts";
import type { Refuse } from "./refuse.ts";

/** Shard files of one checkpoint. */
export const filesMax = 65_536;
const headerBytesMax = 100_000_008;

/** The entry `files`. Names are those that we give: nothing that could lead out of the folder. */
export function parseFiles(value: unknown, read: FieldReader, refuse: Refuse): ManifestFile[] {
  const list = read.list(value, "files", filesMax);
  return list.map((one, at) => {
    const path = `files[${at}]`;
    const fields = read.record(one, path, ["name", "bytes", "headerBytes", "headerSha256"]);
    const wanted = shardFileName(at, list.length);
    if (fields["name"] !== wanted) {
      refuse("file-name", `${path} is called ${shown(fields["name"])}, not ${wanted}`);
    }
    const range = { min: 8, max: headerBytesMax };
    const headerBytes = read.integer(fields["headerBytes"], `${path}.headerBytes`, range);
    const bytes = read.integer(fields["bytes"], `${path}.bytes`, { min: headerBytes });
    const headerSha256 = read.sha256(fields["headerSha256"], `${path}.headerSha256`);
    return { name: wanted, bytes, headerBytes, headerSha256 };
  });
}

/** Every byte of every file after its header belongs to exactly one chunk. */
export function checkPlaces(
  files: readonly ManifestFile[],
  tensors: readonly ManifestTensor[],
  refuse: Refuse,
): void {
  const all = new Map(files.map((file) => [file.name, { file, places: [] as Place[] }]));
  for (const { name, chunks } of tensors) {
    for (const { file, key, offset, bytes } of chunks) {
      const there = all.get(file);
      if (there === undefined) {
        return refuse("file-name", `${key} lies in ${shown(file)}, which is not listed`, name);
      }
      there.places.push({ name, key, offset, end: offset + bytes });
    }
  }
  for (const { file, places } of all.values()) {
    if (places.length === 0) refuse("file-empty", `no chunk lies in ${file.name}`);
    let end = file.headerBytes;
    for (const place of places.toSorted((one, other) => one.offset - other.offset)) {
      const { name, key, offset } = place;
      if (offset < end) refuse("chunk-overlap", `${key} begins before byte ${end}`, name);
      if (offset > end) refuse("chunk-hole", `nothing lies from byte ${end} to ${key}`, name);
      ({ end } = place);
    }
    if (end !== file.bytes) {
      refuse("file-bytes", `${file.name} has ${file.bytes} bytes, its chunks end at ${end}`);
    }
  }
}

interface Place {
  readonly name: string;
  readonly key: string;
  readonly offset: number;
  readonly end: number;
}

function shown(name: unknown): string {
  return JSON.stringify(typeof name === "string" ? name.slice(0, 200) : name) ?? "nothing";
}
