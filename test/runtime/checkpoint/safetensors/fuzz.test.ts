import { expect, test } from "vitest";
import { checkCase } from "./check-case.ts";
import { fileOf } from "./file-of.ts";
import { fuzzCase } from "./fuzz-case.ts";
import { knownCases } from "./known-cases.ts";

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
