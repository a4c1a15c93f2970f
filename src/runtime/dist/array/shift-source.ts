import type { ChunkSource } from "../../tensor/reduce/index.ts";

/** The source without its first `offset` elements; what remains counts from 0 again. */
export function shiftSource(source: ChunkSource, offset: number): ChunkSource {
  if (offset === 0) return source;
  switch (source.kind) {
    case "raw":
    case "random":
      return { ...source, start: source.start + offset };
    case "constant":
      return source;
    case "patched": {
      const patches = source.patches
        .filter(({ index }) => index >= offset)
        .map((patch) => ({ ...patch, index: patch.index - offset }));
      return { kind: "patched", source: shiftSource(source.source, offset), patches };
    }
  }
}
