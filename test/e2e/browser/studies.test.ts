import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { inkOf } from "./support/ink.ts";
import { untilSays } from "./support/open-page.ts";

describeInBrowser("the pages of models", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: null });
  const plot = (page: Page, name: RegExp) => page.getByRole("img", { name });

  it("draw bandwidth and time of a collective, with values, and say how far to trust them", async () => {
    await using opened = await dashboard().open("/collectives");
    const { page } = opened;
    for (const name of [/^Bus bandwidth\. .*last [\d.,]+ GB\/s/, /^Time\. .*last [\d.,]+ µs/]) {
      await plot(page, name).waitFor();
      expect((await inkOf(plot(page, name))).coloured).toBeGreaterThan(200);
    }
    const rows = page.getByRole("table", { name: "Points of the curve" }).locator("tbody tr");
    expect(await rows.count()).toBeGreaterThan(5);
    await untilSays(page.getByRole("region", { name: "How far to trust it" }), /\d/);
    expect(await page.locator("main").innerText()).toMatch(/modelled/i);
    expect(opened.problems).toEqual([]);
  });

  it("draw the efficiency over devices, and where the time of each step goes", async () => {
    await using opened = await dashboard().open("/scaling");
    const { page } = opened;
    const efficiency = plot(page, /^Efficiency\. .*last [\d.,]+ %.*ideal: 100 to 100/);
    await efficiency.waitFor();
    expect((await inkOf(efficiency)).coloured).toBeGreaterThan(200);
    const rows = page.getByRole("table", { name: "Scaling by devices" }).locator("tbody tr");
    const sizes = await rows.count();
    expect(sizes).toBeGreaterThan(3);
    const bars = page.getByRole("region", { name: "Where the time of a step goes" });
    expect(await bars.getByRole("img").count()).toBe(sizes);
    expect(opened.problems).toEqual([]);
  });

  it("draw nothing for a study that cannot be made, and say why", async () => {
    await using opened = await dashboard().open("/scaling?workload=no-such-workload");
    const { page } = opened;
    await page.getByRole("alert").first().waitFor();
    expect(await page.locator(".uplot").count()).toBe(0);
  });
});
