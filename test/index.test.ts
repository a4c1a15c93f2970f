import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { isTesseraError, TesseraError, version } from "../src/index.ts";

test("the version is that of the package", () => {
  const { version: published } = JSON.parse(readFileSync("package.json", "utf8")) as {
    version: string;
  };
  expect(version).toBe(published);
});

test("the package's users can tell its errors from others", () => {
  const error = new TesseraError("E_INTERNAL", { problem: "x" });
  expect(isTesseraError(error)).toBe(true);
  expect(isTesseraError(new Error("x"))).toBe(false);
});
