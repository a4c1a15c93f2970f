import assert from "node:assert/strict";
import { createRng, type RngStream } from "../../../platform/rng/index.ts";
import { fromValues } from "../../tensor/index.ts";
import { fraction, type Task } from "./task.ts";

/** The token that stands where the answer is wanted. */
const blank = 0;

/**
 * Sequences whose first half is random tokens and whose second half is blank: the targets are the
 * first half, then the first half again (`copy`) or backwards (`reverse`). `noise` is the share of
 * the tokens that are replaced in the inputs; the targets stay.
 */
export function sequenceTask(o: {
  readonly kind: "copy" | "reverse";
  readonly vocabulary: number;
  readonly positions: number;
  readonly seed: string;
  readonly noise: number;
}): Task {
  const { kind, vocabulary, positions, noise } = o;
  const half = Math.floor(positions / 2);
  assert(half >= 1 && vocabulary >= 3, "a sequence has two halves of more than one kind of token");
  const tokens = createRng(o.seed).stream("tokens");
  return {
    // One number says whether a token is replaced, one by what.
    drawsPerSample: noise === 0 ? 0 : 2 * half,
    targetsPerSample: positions,
    rows: (ids, random) => {
      const drawn = createRng(random.seed).stream("noise");
      const inputs = new Int32Array(ids.length * positions).fill(blank);
      const targets = new Int32Array(ids.length * positions).fill(blank);
      for (const [row, { index }] of ids.entries()) {
        for (let place = 0; place < half; place++) {
          const token = tokenFrom(tokens.at(index * half + place), vocabulary);
          const answerAt = kind === "copy" ? half + place : 2 * half - 1 - place;
          targets[row * positions + place] = token;
          targets[row * positions + answerAt] = token;
          const at = random.drawn + 2 * (row * half + place);
          const isReplaced = noise !== 0 && fraction(drawn.at(at)) < noise;
          inputs[row * positions + place] = isReplaced ? other(drawn, at + 1, vocabulary) : token;
        }
      }
      const shape = [ids.length, positions];
      return {
        inputs: fromValues(inputs, { dtype: "i32", shape }),
        targets: fromValues(targets, { dtype: "i32", shape }),
      };
    },
  };
}

function other(drawn: RngStream, at: number, vocabulary: number): number {
  return tokenFrom(drawn.at(at), vocabulary);
}

/** Any token but the blank one. */
function tokenFrom(word: number, vocabulary: number): number {
  return 1 + Math.floor(fraction(word) * (vocabulary - 1));
}
