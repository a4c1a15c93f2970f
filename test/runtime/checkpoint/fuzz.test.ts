import { expect, test } from "vitest";
import { safetensorsRules } from "../../../src/runtime/checkpoint/safetensors/index.ts";
import { runFuzz } from "../../support/checkpoint/run-fuzz.ts";
import { checkCase as checkCheckpoint } from "./manifest/check-case.ts";
import { fuzzedCheckpoint } from "./manifest/fuzz-case.ts";
import { checkCase as checkFile } from "./safetensors/check-case.ts";
import { fuzzCase } from "./safetensors/fuzz-case.ts";

// A million of them: TESSERA_FUZZ_CASES=1000000 npm test -- test/runtime/checkpoint/fuzz.test.ts
const usual = 15_000;
const cases = Number(process.env["TESSERA_FUZZ_CASES"] ?? usual);
const firstSeed = Number(process.env["TESSERA_FUZZ_SEED"] ?? 0);
const files = Math.round(cases * 0.7);
const checkpoints = cases - files;
const timeout = 120_000 + 2 * cases;

test(`${files} broken safetensors files are opened rightly or refused by a rule, and none asks for more than it has`, {
  timeout,
}, async () => {
  const check = async (seed: number) => {
    const { what, file } = fuzzCase(seed);
    return naming(what, () => checkFile(file));
  };
  const run = { what: "safetensors files", cases: files, firstSeed, check };
  const { outcomes, report } = await runFuzz(run);
  if (cases > usual) console.log(report);
  // A fuzzer that never gets past the first check would prove nothing.
  const elsewhere = ["file-changed", "unknown-tensor", "name"];
  const rules = Object.keys(safetensorsRules).filter((rule) => !elsewhere.includes(rule));
  expect(["opened", ...rules].filter((outcome) => !outcomes.has(outcome))).toEqual([]);
});

/** Every rule that COMMIT and manifest of a folder of plain files can break. */
const manifestRules = [
  ...["size", "utf-8", "json", "json-depth", "json-string", "json-number", "duplicate-key"],
  ...["type", "missing-key", "unknown-key", "range", "hash", "format", "tag", "date", "parent"],
  ...["mesh", "writers", "order", "dtype", "box", "key", "cover", "layout", "canonical"],
  ...["chunk-bytes", "piece-bytes", "chunk-overlap", "chunk-hole", "file-bytes", "file-empty"],
  ...["file-name", "values", "values-mark", "values-tensor", "values-depth", "plan-hash"],
  ...["manifest-missing", "manifest-bytes", "manifest-hash", "commit-fits"],
];

test(`${checkpoints} broken manifests and COMMITs are read rightly or refused by a rule, and none asks for more than it has`, {
  timeout,
}, async () => {
  const check = async (seed: number) => {
    const fuzzed = fuzzedCheckpoint(seed);
    return naming(fuzzed.what, () => checkCheckpoint(fuzzed));
  };
  const run = { what: "manifests and COMMITs", cases: checkpoints, firstSeed, check };
  const { outcomes, report } = await runFuzz(run);
  if (cases > usual) console.log(report);
  const known = ["opened", "uncommitted", ...manifestRules];
  expect(known.filter((outcome) => !outcomes.has(outcome))).toEqual([]);
  expect([...outcomes.keys()].filter((outcome) => !known.includes(outcome))).toEqual([]);
});

test("a case is the same whenever it is drawn, and another for another number", () => {
  for (const draw of [fuzzCase, fuzzedCheckpoint]) {
    expect(draw(17)).toEqual(draw(17));
    expect(draw(17)).not.toEqual(draw(18));
  }
});

async function naming(what: string, check: () => Promise<string>): Promise<string> {
  try {
    return await check();
  } catch (error) {
    throw new Error(`${what}: ${String(error)}`, { cause: error });
  }
}
