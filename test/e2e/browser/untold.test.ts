import { expect, it } from "vitest";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { untilSays } from "./support/open-page.ts";

const kubeconfig = "/nonexistent/kubeconfig";
const unreachable = {
  name: "prod",
  kind: "kubernetes",
  image: "registry.example/tessera:1",
  resultUrl: "https://tessera.example",
  kubeconfig,
};
const why = "Nothing is known about prod: it cannot be opened.";

describeInBrowser("a cluster that cannot be opened, beside one that can", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: { speed: 1 }, others: [unreachable] });

  it.each(["/fleet/prod", "/fleet/prod?view=table", "/queue?cluster=prod"])(
    "%s says why it shows nothing, instead of zeros",
    async (path) => {
      await using opened = await dashboard().open(path);
      const main = opened.page.locator("main");
      const note = main.getByRole("alert");
      await untilSays(note, why);
      await untilSays(note, kubeconfig);
      expect(await main.innerText()).not.toMatch(/\b0 nodes|No node fits|Nothing is under way/);
      expect(opened.problems).toEqual([]);
    },
  );

  it.each(["/fleet/fleet", "/queue?cluster=fleet"])("%s shows what there is", async (path) => {
    await using opened = await dashboard().open(path);
    const main = opened.page.locator("main");
    await untilSays(main, path.startsWith("/queue") ? "Under way" : "48 nodes");
    expect(await main.getByRole("alert").count()).toBe(0);
  });

  it("has no figures on the overview, where the other one has them", async () => {
    await using opened = await dashboard().open("/");
    const panel = (name: string) =>
      opened.page.locator("section", {
        has: opened.page.getByRole("heading", { level: 2, name }),
      });
    await untilSays(panel("prod"), "Nothing is known about it now.");
    await untilSays(panel("prod"), kubeconfig);
    expect(await panel("prod").innerText()).not.toContain("GPU-hours");
    await untilSays(panel("fleet"), "Nodes now");
  });

  it("is named by a search that could not look into it", async () => {
    await using opened = await dashboard().open("/");
    const { page } = opened;
    await page.getByRole("heading", { level: 2, name: "fleet" }).waitFor();
    await page.keyboard.press("/");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await dialog.getByRole("combobox").fill("no-such-node");
    await untilSays(dialog, "Nodes of prod could not be asked");
  });
});
