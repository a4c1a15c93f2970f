import { describe, expect, test } from "vitest";
import {
  checkpointName,
  formatCommit,
  parseCheckpointName,
  parseCommit,
} from "../../../../src/runtime/checkpoint/manifest/index.ts";
import { example } from "./example.ts";
import { ruleOf, where } from "./rule-of.ts";

const { manifest: bytes, commit: commitBytes } = await example();

describe("a COMMIT", () => {
  const commit = parseCommit(commitBytes, where);

  test("is one line, written in one way", () => {
    expect(Buffer.compare(formatCommit(commit), commitBytes)).toBe(0);
    expect(Buffer.from(commitBytes).toString().split("\n")).toHaveLength(2);
    expect(commit.manifestBytes).toBe(bytes.length);
  });

  test.each<[string, string, Record<string, unknown>]>([
    ["another format", "format", { format: "x" }],
    ["a tag that leads out", "tag", { tag: ".." }],
    ["a manifest beyond the limit", "range", { manifestBytes: 2 ** 40 }],
    ["a hash too short", "hash", { manifestSha256: "00" }],
    ["a count below 0", "range", { files: -1 }],
    ["an unknown key", "unknown-key", { more: 1 }],
    ["no step", "missing-key", { step: undefined }],
  ])("with %s breaks the rule %s", (_, rule, change) => {
    const other = Buffer.from(`${JSON.stringify({ ...commit, ...change })}\n`);
    expect(ruleOf(() => parseCommit(other, where))).toBe(rule);
  });

  test("that is too large is not even read", () => {
    expect(ruleOf(() => parseCommit(Buffer.alloc(5000, " "), where))).toBe("size");
  });
});

test("a folder has one name, and a name one folder", () => {
  for (const tag of ["a", "step100", "x.y-z_1"]) {
    for (const generation of [1, 2, 10]) {
      expect(parseCheckpointName(checkpointName(tag, generation))).toEqual({ tag, generation });
    }
  }
  for (const name of ["a~1", "a~0", "a~02", "a~", "~2", ".a", "a~2~3", "a/b", "", "a~1e3", "ä"]) {
    expect(parseCheckpointName(name)).toBeUndefined();
  }
});
