import { appendFile, rename, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DeviceRecords } from "../../../src/hardware/kernel-log/device-records.ts";
import {
  type FollowKernelLogOptions,
  followKernelLog,
  openKernelLogWriter,
} from "../../../src/hardware/kernel-log/index.ts";
import { formatKmsgRecord } from "../../../src/hardware/kernel-log/kmsg-record.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";

const clock = createRealClock();
const record = (sequence: number, text: string) =>
  formatKmsgRecord({ priority: 11, sequence, timestampUs: sequence * 10, text });

/** Follows a file; `texts` grows. */
function follow(path: string, more: Partial<FollowKernelLogOptions> = {}) {
  const controller = new AbortController();
  const texts: string[] = [];
  let idle = 0;
  const run = async () => {
    const { signal } = controller;
    const options = { path, clock, signal, from: "start" as const, pollMs: 5, ...more };
    for await (const { text } of followKernelLog({ ...options, onIdle: () => idle++ }))
      texts.push(text);
  };
  const done = run();
  done.catch(() => {});
  onTestFinished(() => {
    controller.abort();
  });
  /** Until it has looked at everything that was there when this was called. */
  const settled = async () => {
    const before = idle;
    await waitUntil("the reader found nothing more", () => idle >= before + 2);
  };
  return { texts, done, settled, stop: () => controller.abort() };
}

async function logFile(content = ""): Promise<string> {
  const path = join(await tempDir(), "kmsg");
  await writeFile(path, content);
  return path;
}

describe("followKernelLog on a file", () => {
  it("reads from the start, then what is added", async () => {
    const path = await logFile(record(0, "old"));
    const reader = follow(path);
    const writer = await openKernelLogWriter({ path, allowDevice: false });
    await writer.write("new");
    await waitUntil("both came", () => reader.texts.length === 2);
    expect(reader.texts).toEqual(["old", "new"]);
    await writer.close();
    reader.stop();
    await expect(reader.done).resolves.toBeUndefined();
  });

  it("reads from now on without what was there", async () => {
    const path = await logFile(record(0, "old"));
    const reader = follow(path, { from: "now" });
    await reader.settled();
    await appendFile(path, record(1, "new"));
    await waitUntil("the new one came", () => reader.texts.length > 0);
    expect(reader.texts).toEqual(["new"]);
  });

  it("waits for the rest of a record", async () => {
    const path = await logFile();
    const reader = follow(path);
    const whole = record(0, "a whole record");
    await appendFile(path, whole.slice(0, 12));
    await reader.settled();
    expect(reader.texts).toEqual([]);
    await appendFile(path, whole.slice(12));
    await waitUntil("it came", () => reader.texts.length > 0);
    expect(reader.texts).toEqual(["a whole record"]);
  });

  it("goes on in a file that was cut short", async () => {
    const path = await logFile(record(0, "one") + record(1, "two"));
    const reader = follow(path);
    await waitUntil("both came", () => reader.texts.length === 2);
    await truncate(path);
    await reader.settled();
    await appendFile(path, record(0, "three"));
    await waitUntil("the third came", () => reader.texts.length === 3);
    expect(reader.texts).toEqual(["one", "two", "three"]);
  });

  it("goes on in the file that took its name, after the rest of the old one", async () => {
    const path = await logFile(record(0, "one"));
    const reader = follow(path);
    await reader.settled();
    await rename(path, `${path}.1`);
    await reader.settled();
    await appendFile(`${path}.1`, record(1, "two"));
    await writeFile(path, record(0, "three"));
    await waitUntil("all came", () => reader.texts.length === 3);
    expect(reader.texts).toEqual(["one", "two", "three"]);
  });

  it("drops a line without end, says so, and reads what follows", async () => {
    const lost: number[] = [];
    const path = await logFile(`3,1,1,-;${"x".repeat(200_000)}`);
    const reader = follow(path, { onLost: (count) => lost.push(count) });
    await reader.settled();
    await appendFile(path, `y\n${record(2, "next")}`);
    await waitUntil("the next came", () => reader.texts.length > 0);
    expect(reader.texts).toEqual(["next"]);
    expect(lost).toEqual([1]);
  });

  it("passes over what is no record", async () => {
    const path = await logFile(`garbage\n KEY=value\n${record(0, "good")}\n\n`);
    const reader = follow(path);
    await reader.settled();
    expect(reader.texts).toEqual(["good"]);
  });

  it("is an error where there is no log", async () => {
    const reader = follow(join(await tempDir(), "none"));
    await expect(reader.done).rejects.toThrow("it does not exist");
    await expect(follow("/dev/null").done).rejects.toThrow("not the kernel's log");
  });
});

describe("DeviceRecords", () => {
  type Answer = string | { readonly code: string };

  function device(answers: readonly Answer[]) {
    const left = [...answers];
    const lost: number[] = [];
    const reader = {
      read: async (buffer: Buffer) => {
        const next = left.shift() ?? { code: "EAGAIN" };
        if (typeof next === "object") throw Object.assign(new Error(next.code), next);
        return { bytesRead: buffer.write(next), buffer };
      },
      close: async () => {},
    };
    return { records: new DeviceRecords(reader, (count) => lost.push(count)), lost };
  }

  it("gives a record for each read, without the variables that follow it", async () => {
    const { records, lost } = device([`${record(4, "one")} SUBSYSTEM=pci\n`, record(5, "two")]);
    expect((await records.next()).map(({ text }) => text)).toEqual(["one", "two"]);
    expect(await records.next()).toEqual([]);
    expect(lost).toEqual([]);
  });

  it("goes on after records were overwritten, and counts them", async () => {
    const { records, lost } = device([record(4, "one"), { code: "EPIPE" }, record(9, "two")]);
    expect((await records.next()).map(({ text }) => text)).toEqual(["one", "two"]);
    expect(lost).toEqual([4]);
  });

  it("ends with an error that is neither", async () => {
    await expect(device([{ code: "EIO" }]).records.next()).rejects.toThrow("EIO");
  });
});
