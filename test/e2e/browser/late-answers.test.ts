import type { Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { untilSays } from "./support/open-page.ts";

const hourMs = 3_600_000;
const problem = {
  type: "urn:tessera:error:E_INTERNAL",
  title: "Internal Server Error",
  status: 500,
  detail: "The store is full.",
  code: "E_INTERNAL",
  hint: "Make room.",
  instance: "/",
  requestId: "123",
};

/** Answers of a path that wait until they are let go; the server's own. */
async function holdBack(page: Page, path: string): Promise<() => Promise<void>> {
  const held: Route[] = [];
  let isFree = false;
  await page.route(
    (url) => url.pathname === `/api/v1/${path}`,
    async (route) => {
      if (isFree) await route.continue();
      else held.push(route);
    },
  );
  return async () => {
    isFree = true;
    await Promise.all(held.map((route) => route.continue()));
  };
}

describeInBrowser("an answer that comes late, or never", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: null });
  const editor = (page: Page) => page.getByRole("textbox", { name: "Experiment file (YAML)" });

  it("about one token is not said of another, nor closes what is asked of that", async () => {
    await dashboard().makeToken("read", "one");
    await dashboard().makeToken("read", "two");
    await using opened = await dashboard().open("/tokens", { token: dashboard().token });
    const { page } = opened;
    const ask = async (name: string) => {
      const row = page.getByRole("row").filter({ hasText: name });
      await row.getByRole("button", { name: "Revoke" }).click();
      return page.getByRole("dialog", { name: `Revoke the token of ${name}` });
    };
    const answers: Route[] = [];
    await page.route(/\/api\/v1\/tokens\/./, async (route) => void answers.push(route));

    const first = await ask("one");
    await first.getByRole("button", { name: "Revoke" }).click();
    await waitUntil("the first is on its way", () => answers.length === 1);
    await answers[0]?.fulfill({ status: 500, json: problem });
    await untilSays(first.getByRole("alert"), "The store is full.");
    await first.getByRole("button", { name: "Keep it" }).click();

    const second = await ask("two");
    expect(await second.getByRole("alert").count()).toBe(0);
    await second.getByRole("button", { name: "Revoke" }).click();
    await waitUntil("the second is on its way", () => answers.length === 2);
    await second.getByRole("button", { name: "Keep it" }).click();
    const again = await ask("one");
    await answers[1]?.continue();
    await untilSays(page.getByRole("row").filter({ hasText: "two" }), "revoked");
    expect(await again.isVisible()).toBe(true);
    expect(await again.getByRole("alert").count()).toBe(0);
  });

  it("about an experiment that is gone is told where its file was to be", async () => {
    const token = await dashboard().makeToken("inject");
    await using opened = await dashboard().open("/experiments/new?from=gone", { token });
    await untilSays(opened.page.locator("main").getByRole("alert"), "gone");
    expect(await editor(opened.page).inputValue()).toBe("");
  });

  it("does not replace a file that was pasted before, unless one asks for it", async () => {
    let release = async () => {};
    await using opened = await dashboard().open("/experiments/new", {
      prepare: async (page) => {
        release = await holdBack(page, "experiments/presets");
      },
    });
    const { page } = opened;
    await editor(page).fill("name: mine");
    await release();
    await untilSays(page.locator("main"), "was left there");
    expect(await editor(page).inputValue()).toBe("name: mine");
    await page.getByRole("button", { name: "Replace it" }).click();
    await waitUntil("the example is in the editor", async () =>
      (await editor(page).inputValue()).includes("mesh:"),
    );
    expect(await page.getByRole("button", { name: "Replace it" }).count()).toBe(0);
  });

  it("leaves what an earlier visit has shown marked with its age until it is there", async () => {
    await using opened = await dashboard().open("/experiments");
    const { page } = opened;
    const links = page.getByRole("navigation");
    await untilSays(page.locator("main"), "Nothing was broken here yet");
    await links.getByRole("link", { name: "Audit" }).click();
    await page.getByRole("heading", { level: 1, name: "Audit" }).waitFor();
    await page.clock.setFixedTime(Date.now() + 2 * hourMs);
    const release = await holdBack(page, "experiments");
    await links.getByRole("link", { name: "Experiments" }).click();
    const mark = page.locator("main .stale");
    await untilSays(mark, /This is how .* stood at \d\d:\d\d, 2 h ago/);
    await untilSays(page.locator("main"), "Nothing was broken here yet");
    await release();
    await mark.waitFor({ state: "detached" });
  });
});
