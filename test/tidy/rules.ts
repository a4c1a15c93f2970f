import { clockRule } from "./lib/clock.ts";
import { documentedRule } from "./lib/documented.ts";
import { architectureRule, foldersRule } from "./lib/folders.ts";
import { importsRule } from "./lib/imports.ts";
import { lengthRule } from "./lib/length.ts";
import { marksRule } from "./lib/marks.ts";
import { packagesRule, versionRule } from "./lib/packages.ts";
import { parsesRule } from "./lib/parses.ts";
import { purityRule } from "./lib/purity.ts";
import type { Rule } from "./lib/rule.ts";
import { examplesRule, testsRule } from "./lib/tests.ts";

/** Every rule the repository keeps. */
export const rules: readonly Rule[] = [
  parsesRule,
  importsRule,
  foldersRule,
  architectureRule,
  lengthRule,
  clockRule,
  purityRule,
  marksRule,
  testsRule,
  examplesRule,
  documentedRule,
  packagesRule,
  versionRule,
];
