import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";
import { waitUntil } from "../../../support/wait-until.ts";

export interface OpenOptions extends BrowserContextOptions {
  /** Signs in with this token before the page is opened. */
  readonly token?: string;
  /** Done before anything is loaded: answers of one's own, for example. */
  readonly prepare?: (page: Page) => Promise<void>;
}

/** A tab of its own. */
export interface OpenPage extends AsyncDisposable {
  readonly page: Page;
  /** What no page should do: write errors to the console, break its policy, ask another server. */
  readonly problems: readonly string[];
}

/** Pages ask again every 30 seconds at the latest, and a busy machine takes its time. */
const waitsMs = 60_000;

/** Session storage's name of the token, as the dashboard keeps it. */
const tokenKey = "tessera.token";

export async function openPage(
  browser: Browser,
  address: string,
  options: OpenOptions,
): Promise<OpenPage> {
  const { token, prepare, ...context } = options;
  const tab = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: "en-GB",
    reducedMotion: "reduce",
    ...context,
  });
  if (token !== undefined) {
    const [key, value] = [JSON.stringify(tokenKey), JSON.stringify(token)];
    // Only at first: who signs out in this tab stays signed out.
    await tab.addInitScript(
      `if (!sessionStorage.getItem("given")) sessionStorage.setItem(${key}, ${value});
       sessionStorage.setItem("given", "yes");`,
    );
  }
  tab.setDefaultTimeout(waitsMs);
  const page = await tab.newPage();
  const problems = watch(page, new URL(address).origin);
  await prepare?.(page);
  await page.goto(address);
  const close = async () => {
    // A page asks again and again: an answer of ours may be under way.
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await tab.close();
  };
  return { page, problems, [Symbol.asyncDispose]: close };
}

function watch(page: Page, origin: string): readonly string[] {
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("request", (request) => {
    const url = new URL(request.url());
    const isOwn = url.origin === origin || url.protocol === "data:" || url.protocol === "blob:";
    if (!isOwn) problems.push(`asks ${url.origin}`);
  });
  return problems;
}

/** Waits until what can be seen of an element has these words in it. */
export async function untilSays(element: Locator, words: string | RegExp): Promise<void> {
  let said = "";
  try {
    await waitUntil(
      `the page says ${words}`,
      async () => {
        said = (await element.allInnerTexts()).join("\n");
        return typeof words === "string" ? said.includes(words) : words.test(said);
      },
      { timeoutMs: waitsMs },
    );
  } catch {
    throw new Error(`the page never says ${words}; it says: ${said.slice(0, 1000)}`);
  }
}

/** The page's words about the line to the server. */
export function lineState(page: Page): Locator {
  return page.locator("header.top .line");
}
