import { describe, expect, test } from "vitest";
import {
  parseHeader,
  safetensorsRules,
} from "../../../../src/runtime/checkpoint/safetensors/index.ts";
import { fileOf } from "./file-of.ts";
import { good } from "./known-case.ts";
import { knownCases } from "./known-cases.ts";
import { headerOf, refusalOf } from "./verdict.ts";

describe("the verdict on a file", () => {
  const refused = knownCases.filter(({ rule }) => rule !== undefined);
  const opened = knownCases.filter(({ rule }) => rule === undefined);

  test.for(opened)("$what opens", ({ file }) => {
    expect(refusalOf(file)).toBeUndefined();
  });

  test.for(refused)("$what is refused by the rule $rule", ({ file, rule }) => {
    expect(refusalOf(file)?.rule).toBe(rule);
  });

  test("every rule that a header can break is broken by a known file", () => {
    const elsewhere = ["file-changed", "unknown-tensor", "name"];
    const broken = new Set<string>(refused.map(({ rule }) => rule as string));
    const rules = Object.keys(safetensorsRules).filter((rule) => !elsewhere.includes(rule));
    expect(rules.filter((rule) => !broken.has(rule))).toEqual([]);
  });
});

describe("a refusal", () => {
  test("names the file, the tensor, the rule and the byte", () => {
    const file = fileOf('{"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,4]}}', 4);
    const position = Buffer.from(file).indexOf("1.5");
    expect(refusalOf(file)).toEqual({
      file: "x.safetensors",
      rule: "shape",
      problem: `tensor "a": a length is no whole number from 0 at byte ${position}`,
      tensor: "a",
      position,
    });
  });

  test("shows no more of a long name than a line holds", () => {
    const name = "n".repeat(1_000_000);
    const refusal = refusalOf(fileOf(`{"${name}":null}`));
    expect(refusal?.problem.length).toBeLessThan(300);
    expect(refusal?.tensor).toBe(name);
  });

  test("blames a tensor only while its own entry is read", () => {
    expect(refusalOf(fileOf(`{"a":${good}}}`, 4))).not.toHaveProperty("tensor");
  });
});

describe("what a header says", () => {
  test("tensors come in the order of their bytes, with all that is known of them", () => {
    const header = headerOf(
      fileOf(
        '{"b":{"dtype":"F16","shape":[2,1],"data_offsets":[1,5]},"__metadata__":{"k":"v"},"a":["U8",[],[0,1]]}',
        5,
      ),
    );
    expect(header.entries).toEqual([
      { name: "a", dtype: "U8", shape: [], begin: 0, end: 1 },
      { name: "b", dtype: "F16", shape: [2, 1], begin: 1, end: 5 },
    ]);
    expect(header.metadata).toEqual({ k: "v" });
    expect(header.fileBytes - header.dataStart).toBe(5);
  });

  test("escapes in names and metadata are resolved", () => {
    const header = headerOf(
      fileOf(`{"\\ud83d\\ude00\\/\\u0000":${good},"__metadata__":{"\\n":"\\"é"}}`, 4),
    );
    expect(header.entries[0]?.name).toBe("😀/\0");
    expect(header.metadata).toEqual({ "\n": '"é' });
  });

  test("__proto__ is a key of metadata like any other", () => {
    const { metadata } = headerOf(fileOf('{"__metadata__":{"__proto__":"x"}}'));
    expect(Object.entries(metadata)).toEqual([["__proto__", "x"]]);
  });

  test("of a tensor named twice the last entry counts, and the header says so", () => {
    const header = headerOf(fileOf(`{"a":["U8",[9],[0,9]],"a":${good}}`, 4));
    expect(header.entries.map(({ dtype }) => dtype)).toEqual(["F32"]);
    expect(header.repeated).toEqual(["a"]);
  });

  test("names that differ are not called repeated", () => {
    const header = headerOf(fileOf(`{"A":["U8",[0],[0,0]],"a":${good}}`, 4));
    expect(header).not.toHaveProperty("repeated");
  });

  test("lengths above 2^53 are kept exactly beside the rounded ones", () => {
    const [entry] = headerOf(fileOf('{"a":["F32",[0,9007199254740993],[0,0]]}')).entries;
    expect(entry?.exactShape).toEqual([0n, 9007199254740993n]);
  });

  test("lengths up to 2^53 - 1 need no second form", () => {
    const [entry] = headerOf(fileOf('{"a":["F32",[0,9007199254740991],[0,0]]}')).entries;
    expect(entry).not.toHaveProperty("exactShape");
    expect(entry?.shape).toEqual([0, 9007199254740991]);
  });

  test("only the bytes up to the data need to be given", () => {
    const file = fileOf(`{"a":${good}}`, 4);
    const header = parseHeader(file.subarray(0, -4), { file: "x", fileBytes: file.length });
    expect(header.entries).toHaveLength(1);
  });

  test("bytes of the data that look like JSON are not read as header", () => {
    const file = fileOf('{"a":["U8",[1],[0,1]]}', 1);
    file.set(Buffer.from("}"), file.length - 1);
    expect(headerOf(file).entries).toHaveLength(1);
  });
});
