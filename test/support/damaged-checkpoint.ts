import { createHash } from "node:crypto";
import { join } from "node:path";
import type { Held } from "./read-only-files.ts";

/** The files of one checkpoint in memory, and ways to damage them. */
export interface Specimen {
  /** By absolute path. */
  readonly held: ReadonlyMap<string, Held>;
  readonly folder: string;
}

export type Json = { [key: string]: Json } & Json[] & string & number;

export function bytesIn({ held, folder }: Specimen, file: string): Uint8Array {
  const bytes = held.get(join(folder, file));
  if (bytes === undefined || typeof bytes === "string") throw new Error(`no file ${file}`);
  return bytes;
}

/** The same with another file, or without it. */
export function withFile(specimen: Specimen, file: string, held: Held | undefined): Specimen {
  const changed = new Map(specimen.held);
  const path = join(specimen.folder, file);
  if (held === undefined) changed.delete(path);
  else changed.set(path, held);
  return { ...specimen, held: changed };
}

export function flipped(bytes: Uint8Array, at: number, bit: number): Uint8Array {
  const copy = bytes.slice();
  copy[at] = (copy[at] as number) ^ (1 << bit);
  return copy;
}

/**
 * The same with another manifest and a COMMIT that fits it: the work of somebody who knows the format,
 * or of a saver with a bug. What depends on the boxes is made to fit too.
 */
export function forged(specimen: Specimen, change: (manifest: Json) => void): Specimen {
  const text = Buffer.from(bytesIn(specimen, "manifest.json")).toString();
  const manifest = JSON.parse(text) as Json;
  change(manifest);
  const plan = createHash("sha256");
  for (const { name, dtype, shape, chunks } of manifest["tensors"] as unknown as Json[]) {
    const flat = (chunks as unknown as Json[] | undefined)?.map(({ box }) =>
      (box as unknown as Json[]).map((slice) => [slice["start"], slice["step"], slice["count"]]),
    );
    plan.update(`${JSON.stringify([name, dtype, shape, flat])}\n`);
  }
  if ((manifest["planHash"] as unknown) !== "kept") {
    (manifest as Record<string, unknown>)["planHash"] = plan.digest("hex");
  }
  return recommitted(specimen, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`), manifest);
}

/** The same with this text as its manifest, and a COMMIT for it. */
function recommitted(specimen: Specimen, text: Uint8Array, facts: Json): Specimen {
  const old = JSON.parse(Buffer.from(bytesIn(specimen, "COMMIT")).toString()) as object;
  const files = facts["files"] as unknown as readonly { readonly bytes: number }[];
  const commit = {
    ...old,
    tag: facts["tag"],
    generation: facts["generation"],
    step: facts["step"],
    manifestBytes: text.length,
    manifestSha256: createHash("sha256").update(text).digest("hex"),
    files: files.length,
    tensors: (facts["tensors"] as unknown as readonly unknown[]).length,
    totalBytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
  };
  const withManifest = withFile(specimen, "manifest.json", text);
  return withFile(withManifest, "COMMIT", Buffer.from(`${JSON.stringify(commit)}\n`));
}

/** The same with another header of a shard, and a manifest and a COMMIT that fit it. */
export function forgedHeader(
  specimen: Specimen,
  file: string,
  change: (
    header: Record<string, { dtype: string; shape: number[]; data_offsets: number[] }>,
  ) => void,
): Specimen {
  const bytes = bytesIn(specimen, file);
  const length = Number(Buffer.from(bytes).readBigUInt64LE());
  const header = JSON.parse(Buffer.from(bytes.subarray(8, 8 + length)).toString());
  change(header);
  const json = JSON.stringify(header).padEnd(length, " ");
  const prefix = Buffer.alloc(8);
  prefix.writeBigUInt64LE(BigInt(Buffer.byteLength(json)));
  return replacedHeader(specimen, file, Buffer.concat([prefix, Buffer.from(json)]));
}

export function replacedHeader(specimen: Specimen, file: string, header: Uint8Array): Specimen {
  const bytes = bytesIn(specimen, file);
  const old = 8 + Number(Buffer.from(bytes).readBigUInt64LE());
  const whole = Buffer.concat([header, bytes.subarray(old)]);
  const shifted = header.length - old;
  return forged(withFile(specimen, file, new Uint8Array(whole)), (manifest) => {
    for (const entry of manifest["files"] as unknown as Record<string, unknown>[]) {
      if (entry["name"] !== file) continue;
      entry["bytes"] = whole.length;
      entry["headerBytes"] = header.length;
      entry["headerSha256"] = createHash("sha256").update(header).digest("hex");
    }
    for (const tensor of manifest["tensors"] as unknown as Json[]) {
      for (const chunk of tensor["chunks"] as unknown as Record<string, unknown>[]) {
        if (chunk["file"] === file) chunk["offset"] = (chunk["offset"] as number) + shifted;
      }
    }
  });
}
