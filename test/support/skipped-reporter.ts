import type { Reporter, TestCase, TestModule, TestSuite } from "vitest/node";
import { skipLines } from "./skip-lines.ts";

/** Ends every run with what was left out and why: a skip that nobody sees looks like a pass. */
export default class SkippedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]);
    for (const line of skipLines(skipped.map(titlesOf))) process.stdout.write(`${line}\n`);
  }
}

/** The titles of a test from the file inwards. */
function titlesOf(test: TestCase): string[] {
  const titles = [test.name];
  for (let parent: TestSuite | TestModule = test.parent; parent.type === "suite"; ) {
    titles.unshift(parent.name);
    parent = parent.parent;
  }
  return [test.module.relativeModuleId, ...titles];
}
