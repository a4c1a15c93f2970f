import { namesUsed } from "./names-used.ts";
import type { Finding, Rule } from "./rule.ts";
import { isCode, parse } from "./syntax.ts";
import type { SourceFile, Tree } from "./tree.ts";

/** What reads the machine's time or waits on it. Code takes a Clock instead. */
const realTime = [
  "AbortSignal.timeout",
  "Date()",
  "Date.now",
  "new Date()",
  "node:os.uptime",
  "node:perf_hooks.performance.now",
  "node:process.hrtime",
  "node:process.uptime",
  "node:timers",
  "node:timers/promises",
  "performance.now",
  "performance.timeOrigin",
  "process.hrtime",
  "process.uptime",
  "setImmediate",
  "setInterval",
  "setTimeout",
];

/** What no seed can repeat. Code takes an Rng stream instead. */
const realChance = [
  "Math.random",
  "crypto.getRandomValues",
  "crypto.randomUUID",
  "node:crypto.getRandomValues",
  "node:crypto.randomBytes",
  "node:crypto.randomFill",
  "node:crypto.randomFillSync",
  "node:crypto.randomInt",
  "node:crypto.randomUUID",
  "node:crypto.webcrypto.getRandomValues",
  "node:crypto.webcrypto.randomUUID",
];

export const clockRule: Rule = {
  name: "clock",
  promise: "src reads time and chance only through a Clock and an Rng",
  find: findRealTimeAndChance,
};

/** Uses of the machine's time and of unseeded chance in src. */
function findRealTimeAndChance(tree: Tree): readonly Finding[] {
  return tree.filter((file) => file.path.startsWith("src/") && isCode(file)).flatMap(judgeFile);
}

function judgeFile(file: SourceFile): Finding[] {
  return namesUsed(parse(file)).flatMap(({ name, line }) => {
    const time = matching(name, realTime);
    if (time !== undefined) return [finding(file.path, line, time, "take a Clock")];
    const chance = matching(name, realChance);
    return chance === undefined ? [] : [finding(file.path, line, chance, "take an Rng stream")];
  });
}

/** `Date.now.bind` is a use of `Date.now`. */
function matching(name: string, banned: readonly string[]): string | undefined {
  return banned.find((entry) => name === entry || name.startsWith(`${entry}.`));
}

function finding(path: string, line: number, what: string, instead: string): Finding {
  return { path, line, what, message: `uses ${what}: ${instead} instead` };
}
