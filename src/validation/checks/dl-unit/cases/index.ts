import { activationCase } from "./activations.ts";
import { attentionCase } from "./attention.ts";
import type { DlCase } from "./case.ts";
import { embeddingCase } from "./embedding.ts";
import { gemmCases, largeCase, skinnyCase } from "./gemm.ts";
import { linearCase } from "./linear.ts";
import { memoryCase } from "./memory.ts";
import { normCases } from "./norms.ts";
import { optimizerCase } from "./optimizer.ts";
import { reductionCase } from "./reductions.ts";
import { softmaxCases } from "./softmax.ts";
import { transferCase } from "./transfer.ts";
import { transformerCase } from "./transformer/transformer.ts";

export type { Bench, CaseFigure, CaseOutcome, Corruption, DlCase, PlannedCase } from "./case.ts";

/** The table of cases, in the order in which they run: memory first, while there is most of it. */
export const caseTable: readonly DlCase[] = [
  memoryCase,
  transferCase,
  ...gemmCases,
  skinnyCase,
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
];

/** Cases that only thorough runs have time for. */
export const thoroughCases: ReadonlySet<string> = new Set(["gemm-large"]);
/** What is repeated with other data until a soak is over: hot, and where errors hide. */
export const soakCases: readonly string[] = ["gemm-bf16", "transformer"];
