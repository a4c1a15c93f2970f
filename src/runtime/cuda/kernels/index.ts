import { createHash } from "node:crypto";
import { activationKernels } from "./activation-kernels.ts";
import { arithmeticKernels } from "./arithmetic-kernels.ts";
import { attentionBackwardKernels } from "./attention-backward-kernels.ts";
import { attentionKernels } from "./attention-kernels.ts";
import { changingChecksumKernels } from "./changing-checksum-kernels.ts";
import { checksumKernels } from "./checksum-kernels.ts";
import { convertKernels } from "./convert-kernels.ts";
import { createKernels } from "./create-kernels.ts";
import { embeddingKernels } from "./embedding-kernels.ts";
import { hashKernels } from "./hash-kernels.ts";
import { layoutKernels } from "./layout-kernels.ts";
import { normKernels } from "./norm-kernels.ts";
import { optimizerKernels } from "./optimizer-kernels.ts";
import { patternKernels } from "./pattern-kernels.ts";
import { reduceKernels } from "./reduce-kernels.ts";
import { softmaxKernels } from "./softmax-kernels.ts";
import { tileKernels } from "./tile-kernels.ts";

/** All kernels of tensors and their operations, by the name of their family. */
export const kernelFamilies = {
  activation: activationKernels,
  arithmetic: arithmeticKernels,
  attention: attentionKernels,
  attentionBackward: attentionBackwardKernels,
  changingChecksum: changingChecksumKernels,
  checksum: checksumKernels,
  convert: convertKernels,
  create: createKernels,
  embedding: embeddingKernels,
  hash: hashKernels,
  layout: layoutKernels,
  norm: normKernels,
  optimizer: optimizerKernels,
  pattern: patternKernels,
  reduce: reduceKernels,
  softmax: softmaxKernels,
  tile: tileKernels,
} as const;

let digest: string | undefined;

/**
 * Twelve hex digits over the text of all kernels: with another text, results may have other bits, so
 * it belongs into every software key.
 */
export function kernelsDigest(): string {
  if (digest !== undefined) return digest;
  const hash = createHash("sha256");
  for (const { text } of Object.values(kernelFamilies)) hash.update(text);
  digest = hash.digest("hex").slice(0, 12);
  return digest;
}
