import { type Browser } from "playwright-core";
import { afterAll, beforeAll, describe } from "vitest";
import { launchBrowser } from "../../../support/browser.ts";
import { type Dashboard, type DashboardOptions, startDashboard } from "./dashboard.ts";
import { isBrowserRequired } from "./missing-browser.ts";

const found = await launchBrowser();
if (typeof found === "string" && isBrowserRequired(process.env)) throw new Error(found);
// Of the whole file: it may have several groups of tests.
afterAll(async () => {
  if (typeof found !== "string") await found.close();
});

/** Tests of the dashboard in one browser; skipped, with the reason, where none starts. */
export function describeInBrowser(name: string, tests: (browser: Browser) => void): void {
  const reason = typeof found === "string" ? `: skipped, ${found}` : "";
  describe.skipIf(typeof found === "string")(`${name}${reason}`, () => {
    tests(found as Browser);
  });
}

/** One control plane for all tests of a file. */
export function sharedDashboard(browser: Browser, options: DashboardOptions = {}): () => Dashboard {
  let dashboard: Dashboard | undefined;
  beforeAll(async () => {
    dashboard = await startDashboard(browser, options);
  });
  afterAll(async () => {
    await dashboard?.[Symbol.asyncDispose]();
  });
  return () => {
    if (dashboard === undefined) throw new Error("the dashboard has not been started");
    return dashboard;
  };
}
