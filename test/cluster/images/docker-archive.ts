import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";
import { type Sink, type TarEntry, tarHeader, writeTar } from "./tar.ts";

/** An image of one layer. */
export interface ImageSpec {
  /** `name:tag`, as pods name it. */
  readonly tag: string;
  readonly entries: readonly TarEntry[];
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly workingDir?: string;
}

/** Writes an image in the form that `docker save` has and `ctr images import` reads. */
export function writeDockerArchive(file: string, image: ImageSpec): void {
  // The layer is written twice: once to learn its size and digest, once into the archive.
  const layer = measure((sink) => writeTar(image.entries, sink));
  const config = jsonFile("config.json", imageConfig(image, layer.digest));
  const manifest = jsonFile("manifest.json", [
    { Config: "config.json", RepoTags: [image.tag], Layers: ["layer.tar"] },
  ]);
  const fd = openSync(file, "w");
  try {
    const sink: Sink = (chunk) => writeAll(fd, chunk);
    sink(tarHeader({ type: "file", path: "layer.tar", mode: 0o644 }, layer.sizeBytes));
    writeTar(image.entries, sink);
    // A tar archive is a multiple of 512 bytes: no padding after the layer.
    writeTar([config, manifest], sink);
  } finally {
    closeSync(fd);
  }
}

function measure(write: (sink: Sink) => void): { sizeBytes: number; digest: string } {
  const hash = createHash("sha256");
  let sizeBytes = 0;
  write((chunk) => {
    hash.update(chunk);
    sizeBytes += chunk.length;
  });
  return { sizeBytes, digest: `sha256:${hash.digest("hex")}` };
}

/** The image's configuration as the runtime reads it. */
export function imageConfig(image: ImageSpec, layerDigest: string): unknown {
  const { entrypoint, command, env = {}, workingDir } = image;
  return {
    architecture: process.arch === "x64" ? "amd64" : process.arch,
    os: "linux",
    config: {
      Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
      ...(entrypoint === undefined ? {} : { Entrypoint: entrypoint }),
      ...(command === undefined ? {} : { Cmd: command }),
      ...(workingDir === undefined ? {} : { WorkingDir: workingDir }),
    },
    rootfs: { type: "layers", diff_ids: [layerDigest] },
  };
}

function jsonFile(path: string, value: unknown): TarEntry {
  return { type: "file", path, mode: 0o644, content: Buffer.from(JSON.stringify(value)) };
}

function writeAll(fd: number, chunk: Buffer): void {
  let offset = 0;
  while (offset < chunk.length) offset += writeSync(fd, chunk, offset);
}
