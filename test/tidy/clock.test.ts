import { describe, expect, it } from "vitest";
import { clockRule } from "./lib/clock.ts";
import { found, plant } from "./lib/planted.ts";

function uses(text: string, path = "src/validation/plan.ts"): string[] {
  return found(clockRule, plant({ [path]: text })).map((line) => line.replace(/^\S+ /, ""));
}

describe("real time and chance", () => {
  it.each([
    ["const t = Date.now();", "Date.now"],
    ["const t = Date['now']();", "Date.now"],
    ["const t = globalThis.Date.now();", "Date.now"],
    ["const read = Date.now;", "Date.now"],
    ["const read = Date.now.bind(Date);", "Date.now"],
    ["const { now } = Date;", "Date.now"],
    ["const { setTimeout: wait } = globalThis;", "setTimeout"],
    ["const t = (Date.now as () => number)();", "Date.now"],
    ["const t = new Date();", "new Date()"],
    ["const t = Date();", "Date()"],
    ["const t = performance.now();", "performance.now"],
    [
      "import { performance as p } from 'node:perf_hooks'; p.now();",
      "node:perf_hooks.performance.now",
    ],
    ["const t = process.hrtime.bigint();", "process.hrtime"],
    ["setTimeout(work, 5);", "setTimeout"],
    ["globalThis.setTimeout(work, 5);", "setTimeout"],
    ["const timers = { setInterval };", "setInterval"],
    ["await new Promise(setImmediate);", "setImmediate"],
    [
      "import { setTimeout as wait } from 'node:timers/promises'; await wait(5);",
      "node:timers/promises",
    ],
    ["const signal = AbortSignal.timeout(5);", "AbortSignal.timeout"],
    ["const x = Math.random();", "Math.random"],
    ["const id = crypto.randomUUID();", "crypto.randomUUID"],
    ["import * as c from 'node:crypto'; c.randomBytes(8);", "node:crypto.randomBytes"],
    ["import c from 'node:crypto'; c.randomInt(8);", "node:crypto.randomInt"],
    ["import { randomUUID } from 'node:crypto'; randomUUID();", "node:crypto.randomUUID"],
  ])("%s is found", (text, what) => {
    expect(uses(text)).toEqual([what]);
  });

  it.each([
    "// Date.now() would be wrong here",
    "const text = 'Date.now()';",
    "const t = clock.nowMs();",
    "const day = new Date(ms);",
    "const day = new Date(ms).toISOString();",
    "const day = Date.UTC(2026, 0);",
    "const options = { setTimeout: 5 };",
    "socket.setTimeout(5);",
    "function setTimeout(ms: number) { return ms; } setTimeout(5);",
    "const start = ({ setTimeout }: Timers) => setTimeout(5);",
    "const x = Math.max(1, 2);",
    "import { createHash } from 'node:crypto'; createHash('sha256');",
    "type Timer = typeof setTimeout;",
    "interface Clock { setTimeout(): void }",
    "clearTimeout(timer);",
  ])("%s is not", (text) => {
    expect(uses(text)).toEqual([]);
  });

  it("gives the line", () => {
    const tree = plant({ "src/validation/plan.ts": "const a = 1;\n\nconst b = Date.now();\n" });
    expect(found(clockRule, tree)).toEqual(["src/validation/plan.ts:3 Date.now"]);
  });

  it("is about src: tests and benchmarks may measure", () => {
    expect(uses("const t = Date.now();", "test/cli/x.test.ts")).toEqual([]);
    expect(uses("const t = Date.now();", "bench/cli/x.ts")).toEqual([]);
  });
});
