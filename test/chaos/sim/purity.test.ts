import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../../scripts/lib/repository.ts";
import { namesUsed } from "../../tidy/lib/names-used.ts";
import { nodesOf, parse } from "../../tidy/lib/syntax.ts";

/** What a simulated run is computed with: the same seed has to give the same bits everywhere. */
const folders = ["sim", "chance", "elastic", "waits", "numerics", "failure-model", "transport"];

/** The only modules of Node that do nothing but compute. */
const modulesAllowed = new Set(["node:assert/strict", "node:crypto"]);

const namesForbidden =
  /^(Date|performance|process|console|fetch|queueMicrotask|setTimeout|setInterval|setImmediate|structuredClone|WeakRef|FinalizationRegistry|Intl|MessageChannel|BroadcastChannel|Atomics|WebSocket|crypto|navigator|AbortSignal|new Date\(\)|Date\(\))($|\.)/;

/** Of `node:crypto` only hashes. */
const cryptoForbidden = /^node:crypto(?!\.createHash$)/;

/** IEEE 754 and ECMAScript fix these to the last bit. */
const mathAllowed = new Set(
  "E LN2 LN10 LOG2E LOG10E PI SQRT1_2 SQRT2 abs ceil clz32 floor fround imul max min round sign sqrt trunc".split(
    " ",
  ),
);

const membersForbidden = /^(localeCompare|toLocale\w*|toTimeString|getTimezoneOffset)$/;

/** What in a source could differ from one run, machine or version of Node to another. */
function impurities(path: string, text: string): string[] {
  const syntax = parse({ path, text });
  const modules = syntax.imports
    .map(({ specifier }) => specifier)
    .filter((specifier) => specifier.startsWith("node:") && !modulesAllowed.has(specifier));
  const names = namesUsed(syntax)
    .map(({ name }) => name)
    .filter((name) => {
      if (name === "Math" || name.startsWith("Math.")) {
        return !mathAllowed.has(name.split(".")[1] ?? "");
      }
      return namesForbidden.test(name) || cryptoForbidden.test(name);
    });
  const powers = nodesOf(syntax, "BinaryExpression")
    .filter(({ node }) => node.operator === "**")
    .filter(({ node }) => !(node.left.type === "Literal" && node.left.value === 2))
    .map(() => "**");
  const members = nodesOf(syntax, "MemberExpression").flatMap(({ node }) =>
    node.property.type === "Identifier" && membersForbidden.test(node.property.name)
      ? [node.property.name]
      : [],
  );
  return [...new Set([...modules, ...names, ...powers, ...members])];
}

function sourcesOf(folder: string): string[] {
  const path = join(root, "src", "chaos", folder);
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(path, name));
}

describe("what a simulated run is made of", () => {
  it.each(folders)(
    "src/chaos/%s knows no real time, chance, effect or inexact function",
    (folder) => {
      const found = sourcesOf(folder).flatMap((file) =>
        impurities(file, readFileSync(file, "utf8")).map((what) => `${file}: ${what}`),
      );
      expect(found).toEqual([]);
    },
  );

  it.each([
    ["import { readFile } from 'node:fs/promises';", "node:fs/promises"],
    ["import fs from 'node:fs';", "node:fs"],
    ["import net from 'node:net';", "node:net"],
    ["import { setTimeout as wait } from 'node:timers/promises';", "node:timers/promises"],
    ["import 'node:timers';", "node:timers"],
    ["import { Worker as W } from 'node:worker_threads';", "node:worker_threads"],
    ["import { performance as p } from 'node:perf_hooks';", "node:perf_hooks"],
    ["import { spawn } from 'node:child_process';", "node:child_process"],
    ["import { cpus } from 'node:os';", "node:os"],
    ["const os = await import('node:os');", "node:os"],
    ["import { randomBytes } from 'node:crypto'; randomBytes(8);", "node:crypto.randomBytes"],
    ["import c from 'node:crypto'; c.randomUUID();", "node:crypto.randomUUID"],
    ["const t = Date.now();", "Date.now"],
    ["const t = new Date(5).getTime();", "Date"],
    ["const t = globalThis.performance.now();", "performance.now"],
    ["const x = Math.random();", "Math.random"],
    ["const x = Math.exp(1);", "Math.exp"],
    ["const x = Math.log(1);", "Math.log"],
    ["const x = Math.log2(1);", "Math.log2"],
    ["const x = Math.pow(1, 2);", "Math.pow"],
    ["const x = Math.sin(1);", "Math.sin"],
    ["const { cos } = Math;", "Math.cos Math"],
    ["const x = Math.hypot(1, 2);", "Math.hypot"],
    ["const f = Math['tanh'];", "Math.tanh"],
    ["const every = Math;", "Math"],
    ["const x = a ** 0.5;", "**"],
    ["const f = new Intl.NumberFormat();", "Intl.NumberFormat"],
    ["const s = (5).toLocaleString();", "toLocaleString"],
    ["const o = a.localeCompare(b);", "localeCompare"],
    ["setTimeout(work, 5);", "setTimeout"],
    ["setInterval(work, 5);", "setInterval"],
    ["setImmediate(work);", "setImmediate"],
    ["queueMicrotask(work);", "queueMicrotask"],
    ["await fetch(url);", "fetch"],
    ["const home = process.env.HOME;", "process.env.HOME"],
    ["const ref = new WeakRef(thing);", "WeakRef"],
    ["console.log('x');", "console.log"],
    ["const signal = AbortSignal.timeout(5);", "AbortSignal.timeout"],
  ])("%s would be found", (text, what) => {
    expect(impurities("src/chaos/sim/planted.ts", text)).toEqual(what.split(" "));
  });

  it.each([
    "import assert from 'node:assert/strict'; assert(true);",
    "import { createHash } from 'node:crypto'; createHash('sha256');",
    "const x = Math.imul(3, 4) + Math.sqrt(2) * 2 ** 32;",
    "const limits = { process: 1, fetch: 2 };",
    "// Date.now() would be wrong here",
    "const text = 'Math.random()';",
    "interface Port { setTimer(atUs: number): void }",
  ])("%s is innocent", (text) => {
    expect(impurities("src/chaos/sim/planted.ts", text)).toEqual([]);
  });
});
