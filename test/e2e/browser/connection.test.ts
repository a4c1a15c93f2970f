import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { NodeDetailView } from "../../../src/control/api/nodes.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { lineState, untilSays } from "./support/open-page.ts";

const name = "sim-0003";
const nodePath = `/nodes/fleet/${name}`;

describeInBrowser("a page whose server goes away", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: { speed: 60 } });
  const stands = (page: Page) => page.getByRole("region", { name: "How it stands" });
  const strip = (page: Page) => page.locator(".strip", { hasText: "Connection lost" });
  const node = () => dashboard().call<NodeDetailView>("GET", `clusters/fleet/nodes/${name}`);

  /** Says a word about the node, and waits until the loop has heard it. */
  async function say(word: "hold" | "release", reason: string): Promise<void> {
    await dashboard().call("POST", `clusters/fleet/nodes/${name}/${word}`, { reason });
    await waitUntil(
      `the loop has heard ${reason}`,
      async () => (await node()).held?.reason === (word === "hold" ? reason : undefined),
    );
  }

  async function openLive(path: string) {
    const opened = await dashboard().open(path);
    await untilSays(lineState(opened.page), "Live");
    // A page that is loaded again forgets this.
    await opened.page.evaluate("window.isSamePage = true");
    return opened;
  }

  it("says since when, keeps what it knew, and goes on by itself when the server is back", async () => {
    await using opened = await openLive(nodePath);
    const { page } = opened;
    await untilSays(stands(page), `${name} is untested.`);
    expect(await strip(page).count()).toBe(0);

    await dashboard().stop();
    await untilSays(strip(page), /Connection lost since \d\d:\d\d/);
    await untilSays(strip(page), "What you see is what was known then");
    await untilSays(lineState(page), "Connection lost");
    expect(await stands(page).innerText()).toContain(`${name} is untested.`);
    await dashboard().restart();
    await untilSays(lineState(page), "Live");
    expect(await strip(page).count()).toBe(0);
    await say("hold", "after the restart");
    await untilSays(stands(page), "after the restart");
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    await say("release", "done with it");
    await untilSays(stands(page), /^(?![\s\S]*Held by)/);
  });

  it("learns what happened while it could not listen, from a server that was started anew", async () => {
    await using opened = await openLive(nodePath);
    const { page } = opened;
    await stands(page).waitFor();
    await page.context().setOffline(true);
    await dashboard().stop();
    await untilSays(lineState(page), "Connection lost");
    await dashboard().restart();
    await say("hold", "behind its back");
    // The event is in the past of a stream that this page has never read.
    expect(await stands(page).innerText()).not.toContain("behind its back");
    await page.context().setOffline(false);
    await untilSays(stands(page), "behind its back");
    await untilSays(lineState(page), "Live");
    expect(await page.evaluate("window.isSamePage")).toBe(true);
    await say("release", "done with it");
  });

  it("shows a page that it never had when the server is back, and says so until then", async () => {
    await using opened = await openLive(nodePath);
    const { page } = opened;
    await dashboard().stop();
    await untilSays(lineState(page), "Connection lost");
    await page.getByRole("link", { name: "Queue" }).click();
    await untilSays(page.locator("main"), "Tessera did not answer.");
    expect(await page.getByRole("heading", { level: 1, name: "Queue" }).count()).toBe(0);
    await dashboard().restart();
    await page.getByRole("heading", { level: 1, name: "Queue" }).waitFor();
    await untilSays(lineState(page), "Live");
  });

  it("claims no loss while the server is there, on whatever page", async () => {
    await using opened = await openLive(nodePath);
    await using other = await openLive("/");
    await say("hold", "told to both");
    await untilSays(stands(opened.page), "told to both");
    await untilSays(other.page.locator(".attention"), name);
    expect(await strip(opened.page).count()).toBe(0);
    expect(await strip(other.page).count()).toBe(0);
    await say("release", "done with it");
  });
});
