import { spawnSync } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { nodeLedgerFiles } from "../../../src/chaos/ledger/ledger-files.ts";
import { ledgerTempPath } from "../../../src/chaos/ledger/ledger-temps.ts";
import { recoverLedgers } from "../../../src/chaos/ledger/recover-ledgers.ts";
import { ownIdentity } from "../../../src/platform/process/process-identity.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";

const clock = createRealClock();
const executor = async () => {};

async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-test-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

it("removes what a writer that is gone has left of a file, empty or whole", async () => {
  const folder = await tempFolder();
  const self = await ownIdentity();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  const gone = { ...self, pid, startTicks: "1" };
  await writeFile(ledgerTempPath(join(folder, "a.ledger.jsonl"), gone), "");
  await writeFile(ledgerTempPath(join(folder, "b.ledger.jsonl"), gone), "{}\n");
  await recoverLedgers({ folder, clock, executor });
  expect(await readdir(folder)).toEqual([]);
});

it("leaves the files of writers at work, of other machines, and of others' programs", async () => {
  const folder = await tempFolder();
  const self = await ownIdentity();
  const path = join(folder, "a.ledger.jsonl");
  await writeFile(ledgerTempPath(path, self), "");
  await writeFile(ledgerTempPath(path, { ...self, home: "elsewhere", startTicks: "1" }), "");
  await writeFile(join(folder, `.a.${"0".repeat(24)}.tessera-tmp`), "");
  const before = await readdir(folder);
  await recoverLedgers({ folder, clock, executor });
  expect(await readdir(folder)).toEqual(before);
});

it("writes through a file that says who writes, and leaves only what was asked for", async () => {
  const folder = await tempFolder();
  const path = join(folder, "a.ledger.jsonl");
  expect(await nodeLedgerFiles.create(path, "one")).toBe(true);
  expect(await nodeLedgerFiles.create(path, "two")).toBe(false);
  expect(await nodeLedgerFiles.read(path)).toBe("one");
  await nodeLedgerFiles.replace(path, "three");
  expect(await nodeLedgerFiles.read(path)).toBe("three");
  expect(await readdir(folder)).toEqual(["a.ledger.jsonl"]);
});
