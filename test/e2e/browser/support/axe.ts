import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { tool } from "../../../../scripts/lib/repository.ts";

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly help: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

const source = readFile(tool("axe-core", "axe.min.js"), "utf8");

/** What axe calls serious or critical on the page as it is now, each in a line. */
export async function seriousViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(await source);
  const { violations } = await page.evaluate<AxeResult>("axe.run(document)");
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes
        .slice(0, 5)
        .map(
          ({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`,
        ),
    );
}
