import { describe, expect, it } from "vitest";
import { skipLines } from "../support/skip-lines.ts";

describe("skipLines", () => {
  it("counts the tests that one reason left out", () => {
    const titles = ["a.test.ts", "an https server (skipped: no openssl here)"];
    expect(
      skipLines([
        [...titles, "one"],
        [...titles, "two"],
      ]),
    ).toEqual(["skipped 2: a.test.ts: an https server (skipped: no openssl here)"]);
  });

  it("names a test in full that does not say why it was left out", () => {
    expect(skipLines([["a.test.ts", "a suite", "one"]])).toEqual([
      "skipped 1: a.test.ts: a suite > one",
    ]);
  });

  it("says nothing where nothing was left out", () => {
    expect(skipLines([])).toEqual([]);
  });
});
