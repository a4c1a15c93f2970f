import type { ImageSpec } from "./docker-archive.ts";

export const pauseTag = "docker.io/tessera/pause:test";

/** The image of pod sandboxes: something that sleeps for ever. */
export function pauseImage(busybox: string): ImageSpec {
  return {
    tag: pauseTag,
    entries: [
      { type: "directory", path: "bin", mode: 0o755 },
      { type: "file", path: "bin/busybox", mode: 0o755, content: { fromFile: busybox } },
    ],
    entrypoint: ["/bin/busybox", "sleep", "2147483647"],
  };
}
