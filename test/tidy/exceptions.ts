import type { Exception } from "./lib/rule.ts";

/**
 * Where a rule may be broken, and why. An exception that nothing needs any more is a finding of
 * its own, so this list cannot grow old.
 */
export const exceptions: readonly Exception[] = [
  {
    rule: "clock",
    path: "src/platform/time/",
    reason: "the one place that knows the machine's time",
  },
  {
    rule: "clock",
    path: "src/platform/rng/random-seed.ts",
    reason: "the one place that makes a seed when none is given",
  },
  {
    rule: "clock",
    path: "src/platform/store/meta.ts",
    what: "node:crypto.randomUUID",
    reason: "an installation's identity must differ from every other's",
  },
  {
    rule: "clock",
    path: "src/platform/files/temp-files.ts",
    what: "node:crypto.randomBytes",
    reason: "names of temporary files must not collide between processes that share a seed",
  },
  {
    rule: "clock",
    path: "src/platform/http/auth/secret.ts",
    what: "node:crypto.randomBytes",
    reason: "a token nobody may guess cannot come from a seed",
  },
  {
    rule: "clock",
    path: "src/runtime/ranks/wire/proof.ts",
    what: "node:crypto.randomBytes",
    reason: "what ranks prove themselves with must not be guessed from a seed",
  },
  {
    rule: "documented",
    path: "docs/cli.md",
    what: "tessera agent worker",
    reason: "only this program itself starts its workers; it is no command for users",
  },
  {
    rule: "documented",
    path: "docs/cli.md",
    what: "tessera agent campaign-worker",
    reason: "only this program itself starts its workers; it is no command for users",
  },
  {
    rule: "documented",
    path: "docs/cli.md",
    what: "tessera agent look",
    reason: "only this program itself starts its workers; it is no command for users",
  },
  {
    rule: "documented",
    path: "docs/cli.md",
    what: "tessera agent chaos-part",
    reason: "only this program itself starts its workers; it is no command for users",
  },
  {
    rule: "documented",
    path: "docs/cli.md",
    what: "tessera agent chaos-watchdog",
    reason: "only this program itself starts its workers; it is no command for users",
  },
  {
    rule: "documented",
    path: "docs/cli.md",
    what: "tessera agent chaos-worker",
    reason: "only this program itself starts its workers; it is no command for users",
  },
  {
    rule: "documented",
    path: "docs/cli.md",
    what: "tessera agent experiment",
    reason: "only this program itself starts its workers; it is no command for users",
  },
  {
    rule: "clock",
    path: "src/platform/http/observe.ts",
    reason: "identifiers of requests must differ between processes that share a seed",
  },
  {
    rule: "clock",
    path: "src/platform/metrics/process-metrics.ts",
    what: "process.uptime",
    reason: "the start of this process is a fact about the machine",
  },
];
