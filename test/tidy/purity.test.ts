import { describe, expect, it } from "vitest";
import { found, plant } from "./lib/planted.ts";
import { purityRule } from "./lib/purity.ts";

function uses(path: string, text: string): string[] {
  return found(purityRule, plant({ [path]: text })).map((line) => line.replace(/^\S+ /, ""));
}

const exact = "src/chaos/sim/world.ts";
const pure = "src/platform/plots/scale.ts";
const free = "src/platform/store/open.ts";

describe("effects", () => {
  it.each([
    ["import { readFile } from 'node:fs/promises';", "node:fs/promises"],
    ["import net from 'node:net';", "node:net"],
    ["const http = await import('node:http');", "node:http"],
    ["import { spawn } from 'node:child_process';", "node:child_process"],
    ["const home = process.env.HOME;", "process.env.HOME"],
    ["console.error('x');", "console.error"],
    ["await fetch(url);", "fetch"],
  ])("%s is found in pure places only", (text, what) => {
    expect(uses(exact, text)).toEqual([what]);
    expect(uses(pure, text)).toEqual([what]);
    expect(uses(free, text)).toEqual([]);
  });

  it.each([
    "import assert from 'node:assert/strict'; assert(true);",
    "interface Worker { process(): void }",
    "const step = { process: 1 };",
  ])("%s is none", (text) => {
    expect(uses(pure, text)).toEqual([]);
  });
});

describe("inexact arithmetic", () => {
  it.each([
    ["const x = Math.log(2);", "Math.log"],
    ["const x = Math.exp(2);", "Math.exp"],
    ["const x = Math.sin(2);", "Math.sin"],
    ["const x = Math.pow(2, 3);", "Math.pow"],
    ["const { cos } = Math;", "Math.cos"],
    ["const x = a ** b;", "**"],
    ["names.sort((a, b) => a.localeCompare(b));", "localeCompare"],
    ["const text = (5).toLocaleString();", "toLocaleString"],
    ["const format = new Intl.NumberFormat();", "Intl.NumberFormat"],
  ])("%s is found in exact places only", (text, what) => {
    expect(uses(exact, text)).toEqual([what]);
    expect(uses(pure, text)).toEqual([]);
  });

  it.each(["Math.floor(x)", "Math.imul(a, b)", "Math.sqrt(x)", "2 ** 32", "Math.PI * r * r"])(
    "%s is exact",
    (expression) => {
      expect(uses(exact, `const y = ${expression};`)).toEqual([]);
    },
  );
});
