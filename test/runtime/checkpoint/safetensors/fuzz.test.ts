import { afterEach, expect, test } from "vitest";
import { safetensorsRules } from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import { checkCase } from "./check-case.ts";
import { fileOf } from "./file-of.ts";
import { fuzzCase } from "./fuzz-case.ts";
import { knownCases } from "./known-cases.ts";

// More of them: TESSERA_FUZZ_CASES=1000000 npm test -- test/runtime/checkpoint/safetensors/fuzz.test.ts
const cases = Number(process.env["TESSERA_FUZZ_CASES"] ?? 20_000);
const firstSeed = Number(process.env["TESSERA_FUZZ_SEED"] ?? 0);

const { stackTraceLimit } = Error;
afterEach(() => {
  Error.stackTraceLimit = stackTraceLimit;
});

test(`${cases} broken files are opened rightly or refused by a rule, and none asks for more than it has`, {
  timeout: 120_000 + cases,
}, async () => {
  const outcomes = new Map<string, number>();
  const begun = performance.now();
  // Most of the time would go into stacks that nobody reads.
  Error.stackTraceLimit = 0;
  for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
    const { what, file } = fuzzCase(seed);
    const outcome = await checkCase(file).catch((error: unknown) => {
      throw new Error(`${what}: ${String(error)}`, { cause: error });
    });
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
  }
  if (cases > 20_000) report(outcomes, (performance.now() - begun) / 1000);
  // A fuzzer that never gets past the first check would prove nothing.
  const unreachable = ["file-changed", "unknown-tensor", "name"];
  const rules = Object.keys(safetensorsRules).filter((rule) => !unreachable.includes(rule));
  expect(["opened", ...rules].filter((outcome) => !outcomes.has(outcome))).toEqual([]);
});

test("a file cut short at any byte is refused", async () => {
  const tensor = '{"dtype":"F32","shape":[2],"data_offsets":[0,8]}';
  const whole = fileOf(`{"__metadata__":{"k":"v"},"a":${tensor}}  `, 8);
  expect(await checkCase(whole)).toBe("opened");
  for (let length = 0; length < whole.length; length++) {
    expect(await checkCase(whole.subarray(0, length)), `${length} bytes`).not.toBe("opened");
  }
});

test.for(knownCases)("the oracle finds nothing wrong with $what", async ({ file, rule }) => {
  expect(await checkCase(file)).toBe(rule ?? "opened");
});

test("a case is the same whenever it is drawn", () => {
  expect(fuzzCase(17)).toEqual(fuzzCase(17));
  expect(fuzzCase(17)).not.toEqual(fuzzCase(18));
});

function report(outcomes: ReadonlyMap<string, number>, seconds: number): void {
  const lines = [...outcomes]
    .toSorted(([, one], [, other]) => other - one)
    .map(([outcome, count]) => `${String(count).padStart(9)}  ${outcome}`);
  const { user, system } = process.cpuUsage();
  const cpuSeconds = (user + system) / 1e6;
  const time = `${seconds.toFixed(1)} s (${cpuSeconds.toFixed(1)} s of processors)`;
  const rate = Math.round(cases / seconds);
  console.log(`measured: ${cases} cases in ${time}, ${rate}/s\n${lines.join("\n")}`);
}
