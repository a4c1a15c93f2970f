import type { ChunkSource } from "./types.ts";

/** True when all sources are known to hold the same bits, without reading them. */
export function allSame(sources: readonly ChunkSource[]): boolean {
  const [first, ...others] = sources;
  return first !== undefined && others.every((source) => isSame(first, source));
}

function isSame(one: ChunkSource, other: ChunkSource): boolean {
  if (one === other) return true;
  switch (one.kind) {
    case "raw":
      return (
        other.kind === "raw" &&
        one.raw.buffer === other.raw.buffer &&
        one.raw.byteOffset === other.raw.byteOffset &&
        one.start === other.start
      );
    case "random":
      return (
        other.kind === "random" &&
        one.start === other.start &&
        one.spec.kind === other.spec.kind &&
        one.spec.seed === other.spec.seed &&
        one.spec.stream === other.spec.stream
      );
    case "constant":
      return other.kind === "constant" && Object.is(one.value, other.value);
    case "patched":
      return (
        other.kind === "patched" &&
        one.patches === other.patches &&
        isSame(one.source, other.source)
      );
  }
}
