import type { Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import type { RunListView } from "../../../src/control/api/runs.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { untilSays } from "./support/open-page.ts";

function button(page: Page, name: "Older ones" | "Back to the newest") {
  return page.getByRole("button", { name, exact: true });
}

function cursorOf(page: Page): string | null {
  return new URL(page.url()).searchParams.get("cursor");
}

describeInBrowser("lists that are longer than a page", (browser) => {
  const dashboard = sharedDashboard(browser);

  beforeAll(async () => {
    await waitUntil(
      "there are more runs than two pages have",
      async () => {
        const { next } = await dashboard().call<RunListView>("GET", "runs?limit=100");
        return next !== null;
      },
      { timeoutMs: 180_000 },
    );
    await dashboard().calmDown();
  }, 240_000);

  it("runs: older ones are a click away, with an address of their own and the browser's way back", async () => {
    await using opened = await dashboard().open("/runs");
    const { page } = opened;
    const rows = page.getByRole("table").locator("tbody tr");
    await button(page, "Older ones").click();
    await button(page, "Back to the newest").waitFor();
    const cursor = cursorOf(page);
    expect(cursor).not.toBeNull();
    expect(await rows.count()).toBe(50);
    await page.reload();
    await button(page, "Back to the newest").waitFor();
    expect(cursorOf(page)).toBe(cursor);

    await page.goBack();
    await button(page, "Back to the newest").waitFor({ state: "detached" });
    expect(cursorOf(page)).toBeNull();
    await page.goForward();
    await button(page, "Back to the newest").click();
    await button(page, "Back to the newest").waitFor({ state: "detached" });
    expect(cursorOf(page)).toBeNull();
    expect(opened.problems).toEqual([]);
  });

  it("runs: who asks for others begins with the newest of these", async () => {
    await using opened = await dashboard().open("/runs");
    const { page } = opened;
    await button(page, "Older ones").click();
    await button(page, "Back to the newest").waitFor();
    await page.getByRole("combobox", { name: /^Ended/ }).selectOption("completed");
    await button(page, "Back to the newest").waitFor({ state: "detached" });
    expect(cursorOf(page)).toBeNull();
  });

  it("tokens: the oldest of many can be found and revoked", async () => {
    // With more than one behind the page it does not matter which of two made at once comes first.
    for (let at = 0; at <= 102; at++) await dashboard().makeToken("read", `guest-${at}`);
    const { token } = dashboard();
    await using opened = await dashboard().open("/tokens", { token });
    const { page } = opened;
    const holder = page.getByRole("cell", { name: "guest-0", exact: true });
    const oldest = page.getByRole("row").filter({ has: holder });
    await button(page, "Older ones").waitFor();
    expect(await oldest.count()).toBe(0);
    await button(page, "Older ones").click();
    await oldest.getByRole("button", { name: "Revoke" }).click();
    const dialog = page.getByRole("dialog", { name: "Revoke the token of guest-0" });
    await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
    await untilSays(oldest, "revoked");
  });
});
