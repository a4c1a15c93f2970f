import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { signatureOf } from "../../../src/control/notify/signature.ts";
import { tempDir } from "../../support/temp-dir.ts";

type Check = (body: string, header: string, secret: string, nowMs: number) => boolean;

test("the check that the guide shows takes our signature and refuses every other", async () => {
  const guide = await readFile("docs/notifications.md", "utf8");
  const [, snippet = ""] = /```js\n([\s\S]*?)```/.exec(guide) ?? [];
  const file = join(await tempDir(), "check.mjs");
  await writeFile(file, snippet);
  const { isFromTessera } = (await import(pathToFileURL(file).href)) as { isFromTessera: Check };
  const atMs = 1_800_000_000_000;
  const header = signatureOf('{"a":1}', { secret: "swordfish", atMs });
  expect(isFromTessera('{"a":1}', header, "swordfish", atMs + 1000)).toBe(true);
  expect(isFromTessera('{"a":2}', header, "swordfish", atMs)).toBe(false);
  expect(isFromTessera('{"a":1}', header, "another", atMs)).toBe(false);
  expect(isFromTessera('{"a":1}', header, "swordfish", atMs + 301_000)).toBe(false);
  expect(isFromTessera('{"a":1}', header.replace("t=18", "t=17"), "swordfish", atMs)).toBe(false);
  expect(isFromTessera('{"a":1}', "v1=00", "swordfish", atMs)).toBe(false);
});
