import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import type { NodeDetailView } from "../../../src/control/api/nodes.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { describeInBrowser, sharedDashboard } from "./support/in-browser.ts";
import { lineState, untilSays } from "./support/open-page.ts";

const name = "sim-0005";
const nodePath = `/nodes/fleet/${name}`;

function holdButton(page: Page) {
  return page.getByRole("button", { name: "Hold", exact: true });
}

/** Types a reason into the dialog that is open and sends it. */
async function sendReason(page: Page, title: string): Promise<void> {
  const dialog = page.getByRole("dialog", { name: `${title}: ${name}` });
  await dialog.getByRole("textbox", { name: /^Reason/ }).fill("a fan rattles");
  await dialog.getByRole("button", { name: title, exact: true }).click();
}

describeInBrowser("who may do what", (browser) => {
  const dashboard = sharedDashboard(browser, { fleet: { speed: 1 } });
  const node = () => dashboard().call<NodeDetailView>("GET", `clusters/fleet/nodes/${name}`);

  it("without a token buttons say what they need and do nothing", async () => {
    await using opened = await dashboard().open(nodePath);
    const { page } = opened;
    await holdButton(page).waitFor();
    expect(await holdButton(page).isDisabled()).toBe(true);
    await untilSays(page.locator("main"), "Sign in with a token of role operate to do this.");
    await page.goto(`${dashboard().url}/experiments/new`);
    await untilSays(page.locator("main"), "Sign in with a token of role inject to do this.");
    expect(await page.getByRole("button", { name: "Start", exact: true }).isDisabled()).toBe(true);
    await page.goto(`${dashboard().url}/tokens`);
    await untilSays(page.locator("main"), "Tokens are for administrators");
  });

  it("what is forced without a token is refused by the server, which changes nothing", async () => {
    await using opened = await dashboard().open(nodePath);
    const { page } = opened;
    await force(page);
    await sendReason(page, "Hold");
    await page.getByRole("dialog", { name: "Sign in" }).waitFor();
    await untilSays(page.getByRole("alert"), "E_TOKEN_REQUIRED");
    expect((await node()).held).toBeNull();
  });

  it("what is forced with a token that may only read is refused in words", async () => {
    const token = await dashboard().makeToken("read");
    await using opened = await dashboard().open(nodePath, { token });
    const { page } = opened;
    await untilSays(page.locator("main"), "This needs a token of role operate; yours may read.");
    await force(page);
    await sendReason(page, "Hold");
    const dialog = page.getByRole("dialog", { name: `Hold: ${name}` });
    await untilSays(dialog.getByRole("alert"), /operate/);
    await untilSays(dialog.getByRole("alert"), "E_ROLE_INSUFFICIENT");
    expect((await node()).held).toBeNull();
  });

  it("a token that may operate holds a node, and the audit says who did", async () => {
    const token = await dashboard().makeToken("operate");
    await using opened = await dashboard().open(nodePath, { token });
    const { page } = opened;
    await holdButton(page).click();
    await sendReason(page, "Hold");
    const stands = page.getByRole("region", { name: "How it stands" });
    await untilSays(stands, /Held by desk-operate[\s\S]*a fan rattles/);
    expect((await node()).held?.reason).toBe("a fan rattles");
    await page.getByRole("link", { name: "Audit" }).click();
    const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
    const done = rows.filter({ hasText: name }).filter({ hasText: "desk-operate" });
    await untilSays(done, "done");
    await untilSays(rows.filter({ hasText: "desk-read" }), /node\.hold[\s\S]*refused/);

    await page.goBack();
    await page.getByRole("button", { name: "Release" }).click();
    await sendReason(page, "Release");
    await holdButton(page).waitFor();
    expect((await node()).held).toBeNull();
    expect(opened.problems).toEqual([]);
  });

  it("a wrong token is not taken; a right one is, and signing out forgets it", async () => {
    await using opened = await dashboard().open(nodePath);
    const { page } = opened;
    const who = page.locator(".who");
    await who.getByRole("button", { name: "Sign in" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in" });
    const field = dialog.locator("input[name=token]");
    await field.fill("tsr_this-is-none");
    await page.keyboard.press("Enter");
    await dialog.getByRole("alert").waitFor();
    expect(await who.innerText()).not.toContain("role admin");
    expect(await page.evaluate("sessionStorage.getItem('tessera.token')")).toBeNull();
    expect(await holdButton(page).isDisabled()).toBe(true);

    await field.fill(dashboard().token);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    await untilSays(who, "role admin");
    expect(await holdButton(page).isEnabled()).toBe(true);

    await who.getByRole("button", { name: "Sign out" }).click();
    await waitUntil("the buttons are closed again", () => holdButton(page).isDisabled());
    expect(await page.evaluate("sessionStorage.getItem('tessera.token')")).toBeNull();
  });

  it("a token that is revoked while the page is open leads to signing in, and is not tried again", async () => {
    const [revoked, fresh] = [
      await dashboard().makeToken("operate", "to-be-revoked"),
      await dashboard().makeToken("operate", "the-next"),
    ];
    const prepare = (page: Page) => page.clock.install();
    await using opened = await dashboard().open(nodePath, { token: revoked, prepare });
    const { page } = opened;
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    const letMinutePass = async () => {
      asked.length = 0;
      await page.clock.runFor(60_000);
    };
    await untilSays(lineState(page), "Live");
    await dashboard().revoke("to-be-revoked");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await untilSays(page.locator("main"), "The token is revoked.");
    await untilSays(lineState(page), "Not signed in");
    expect(await page.locator(".strip", { hasText: "Connection lost" }).count()).toBe(0);

    // Longer than the line and the pages wait before they ask again.
    await letMinutePass();
    expect(asked).toEqual([]);

    await page.locator("main input[name=token]").fill(fresh);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await untilSays(lineState(page), "Live");
    expect(await holdButton(page).isEnabled()).toBe(true);
    await letMinutePass();
    expect(asked).not.toEqual([]);
  });

  it("a page whose token is not good can go on reading without one where none is needed", async () => {
    const token = await dashboard().makeToken("read", "soon-revoked");
    await dashboard().revoke("soon-revoked");
    await using opened = await dashboard().open(nodePath, { token });
    const { page } = opened;
    await untilSays(page.locator("main"), "The token is revoked.");
    expect(await page.locator("main").innerText()).not.toContain(name);
    await page.getByRole("button", { name: "Read without a token" }).click();
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await untilSays(lineState(page), "Live");
    expect(await holdButton(page).isDisabled()).toBe(true);
  });

  /** Presses the button as if the page did not know better. */
  async function force(page: Page): Promise<void> {
    await holdButton(page).waitFor();
    await holdButton(page).evaluate((button) => button.removeAttribute("disabled"));
    await holdButton(page).click();
  }
});

describeInBrowser("a server that other machines reach", (browser) => {
  const secret = "a-token-that-is-long-enough-for-a-test-0123456789";
  const dashboard = sharedDashboard(browser, {
    fleet: { speed: 1 },
    args: ["--host", "0.0.0.0"],
    env: { TESSERA_TOKEN: secret },
  });

  it("shows nothing before a token was given, and then everything, live", async () => {
    await using opened = await dashboard().open(nodePath);
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(await page.locator("main").innerText()).not.toContain(name);
    expect((await fetch(`${dashboard().url}/api/v1/overview`)).status).toBe(401);

    await page.locator("main input[name=token]").fill("wrong");
    await page.keyboard.press("Enter");
    await page.locator("main").getByRole("alert").waitFor();
    expect(await page.getByRole("heading", { level: 1 }).innerText()).toBe("Sign in");

    await page.locator("main input[name=token]").fill(secret);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name }).waitFor();
    await untilSays(lineState(page), "Live");
    await dashboard().call("POST", `clusters/fleet/nodes/${name}/hold`, { reason: "from afar" });
    await untilSays(page.getByRole("region", { name: "How it stands" }), "from afar");
  });
});
