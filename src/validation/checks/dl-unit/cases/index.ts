import { activationCase } from "./activations.ts";
import { attentionCase } from "./attention.ts";
import { batchedCases } from "./batched-gemm.ts";
import type { DlCase } from "./case.ts";
import { collectiveCase } from "./collectives.ts";
import { embeddingCase } from "./embedding.ts";
import { gemmCases, largeCase, skinnyCase } from "./gemm.ts";
import { linearCase } from "./linear.ts";
import { memoryCase } from "./memory.ts";
import { normCases } from "./norms.ts";
import { optimizerCase } from "./optimizer.ts";
import { overlapCase } from "./overlap.ts";
import { reductionCase } from "./reductions.ts";
import { softmaxCases } from "./softmax.ts";
import { transferCase } from "./transfer.ts";
import { transformerCase } from "./transformer/transformer.ts";

export type { Bench, CaseFigure, CaseOutcome, Corruption, DlCase, PlannedCase } from "./case.ts";

/**
 * The table of cases, in the order in which they run: memory first, while there is most of it; what
 * needs all devices at once last, so that they wait for each other once.
 */
export const caseTable: readonly DlCase[] = [
  memoryCase,
  transferCase,
  ...gemmCases,
  skinnyCase,
  ...batchedCases,
  largeCase,
  linearCase,
  attentionCase,
  ...normCases,
  ...softmaxCases,
  activationCase,
  embeddingCase,
  reductionCase,
  optimizerCase,
  transformerCase,
  collectiveCase,
  overlapCase,
];

/** Cases that a rehearsal cannot break: what they send is not theirs. */
export const unbreakableCases: ReadonlySet<string> = new Set(["transfer", "collectives"]);
/** Cases that only thorough runs have time for. */
export const thoroughCases: ReadonlySet<string> = new Set(["gemm-large"]);
/** What is repeated with other data until a soak is over: hot, and where errors hide. */
export const soakCases: readonly string[] = ["gemm-bf16", "transformer"];
