import { createHmac } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { deliver } from "../../../src/control/notify/deliver.ts";
import { testMessage } from "../../../src/control/notify/message.ts";
import { claimDeliveries, makeDeliveries } from "../../../src/control/notify/outbox.ts";
import { outboxFigures } from "../../../src/control/notify/outbox-figures.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startReceiver } from "./receiver.ts";
import {
  clock,
  conclude,
  hook,
  isListening,
  newStore,
  settings,
  startNotifier,
} from "./support.ts";

/** A clock whose waits for later attempts are over at once, as its owner says. */
function jumping() {
  let aheadMs = 0;
  return {
    ...clock,
    nowMs: () => clock.nowMs() + aheadMs,
    ahead: (byMs: number) => {
      aheadMs += byMs;
    },
  };
}

describe("a target in trouble", () => {
  test("gets the message after it answered 500, the same one with the same id", async () => {
    await using receiver = await startReceiver(
      (response, number) => void response.writeHead(number < 3 ? 500 : 200).end(),
    );
    const store = await newStore();
    const jump = jumping();
    await using notifier = startNotifier(store, hook(receiver.url), { clock: jump });
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "n1", verdict: "fail" });
    await waitUntil("it was tried", () => notifier.changes.length === 1);
    expect(await outboxFigures(store, "hook")).toMatchObject({
      waiting: 1,
      delivered: 0,
      lastError: "it answered 500",
    });
    jump.ahead(60_000);
    await waitUntil("it was tried again", () => notifier.changes.length === 2);
    jump.ahead(60_000);
    await waitUntil("it was delivered", () => notifier.changes.length === 3);
    expect(await outboxFigures(store, "hook")).toMatchObject({
      waiting: 0,
      delivered: 1,
      failed: 0,
      lastError: undefined,
    });
    const [first, , third] = receiver.received;
    expect(third?.body).toBe(first?.body);
    expect(third?.headers["x-tessera-delivery"]).toBe(JSON.parse(first?.body ?? "").id);
    const text = await notifier.metrics.text();
    expect(text).toContain('tessera_notifications_total{target="hook",outcome="retried"} 2');
    expect(text).toContain('tessera_notifications_total{target="hook",outcome="delivered"} 1');
  });

  test("is left alone as long as it asks for, and given up after the time that is set", async () => {
    await using receiver = await startReceiver(
      (response) => void response.writeHead(429, { "retry-after": "1800" }).end(),
    );
    const store = await newStore();
    const jump = jumping();
    const more = { clock: jump, settings: { ...settings, giveUpAfterMs: 7_200_000 } };
    await using notifier = startNotifier(store, hook(receiver.url), more);
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "n1", verdict: "fail" });
    await waitUntil("it was tried", () => notifier.changes.length === 1);
    const row = await store.db
      .selectFrom("notification_deliveries")
      .selectAll()
      .executeTakeFirstOrThrow();
    expect(row.due_at - row.made_at).toBeGreaterThanOrEqual(1_800_000);
    jump.ahead(7_100_000);
    await waitUntil("it was given up", async () => {
      return (await outboxFigures(store, "hook")).failed === 1;
    });
    expect(receiver.received).toHaveLength(2);
  });

  test("that does not answer is hung up on; one that points elsewhere is not followed", async () => {
    await using silent = await startReceiver(() => {});
    await using elsewhere = await startReceiver();
    await using pointing = await startReceiver(
      (response) => void response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const message = testMessage("test-1", "instance");
    const options = { env: {}, clock, signal: new AbortController().signal, timeoutMs: 50 };
    expect(await deliver(hook(silent.url), message, options)).toMatchObject({
      ok: false,
      problem: "no answer came within 0.05 s",
    });
    expect(
      await deliver(hook(pointing.url), message, { ...options, timeoutMs: 10_000 }),
    ).toMatchObject({ ok: false, problem: expect.stringContaining("it answered 307") });
    expect(elsewhere.received).toEqual([]);
  });

  test("appears in the log without its address", async () => {
    const store = await newStore();
    const url = "http://127.0.0.1:1/hook/s3cr3t-path";
    await using notifier = startNotifier(store, hook(url));
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "n1", verdict: "fail" });
    await waitUntil("it was tried", () => notifier.changes.length === 1);
    expect(notifier.logged()).toContain("a message waits for its target");
    expect(notifier.logged()).not.toContain("s3cr3t");
  });
});

describe("processes that come and go", () => {
  test("what was written before a crash is sent by the next process, and only once", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    const failing = startNotifier(store, hook("http://127.0.0.1:1/"));
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "n1", verdict: "fail" });
    await waitUntil("it was tried", () => failing.changes.length === 1);
    await failing.notifier.stop();
    const jump = jumping();
    jump.ahead(60_000);
    await using next = startNotifier(store, hook(receiver.url), { clock: jump, holder: "two" });
    await waitUntil("it was delivered", () => next.changes.length === 1);
    await conclude(store, { node: "n2", verdict: "fail" });
    await waitUntil("the next one arrives", () => receiver.received.length === 2);
    expect(receiver.received.filter(({ body }) => body.includes('"n1"'))).toHaveLength(1);
  });

  test("of two processes on one store each message is sent by one", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    const notifiers = ["one", "two"].map((holder) =>
      startNotifier(store, hook(receiver.url), { holder }),
    );
    try {
      await waitUntil("they listen", () => isListening(store));
      for (const node of ["n1", "n2", "n3"]) await conclude(store, { node, verdict: "fail" });
      await waitUntil("all are delivered", async () => {
        return (await outboxFigures(store, "hook")).delivered === 3;
      });
    } finally {
      for (const notifier of notifiers) await notifier[Symbol.asyncDispose]();
    }
    const nodes = receiver.received.flatMap(({ body }) =>
      JSON.parse(body).items.map(({ node }: { node: string }) => node),
    );
    expect(nodes).toHaveLength(3);
    expect(new Set(nodes)).toEqual(new Set(["n1", "n2", "n3"]));
  });

  test("a message that one has taken is not given to another before its lease ends", async () => {
    const store = await newStore();
    const row = { target: "hook", event: "node.failed", at: 1, document: "{}" };
    await store.db
      .insertInto("notification_news")
      .values({ ...row, id: "a" })
      .execute();
    expect(await makeDeliveries(store, "hook", { groupOver: 5, nowMs: 1000 })).toBe(1);
    const claim = (nowMs: number) =>
      claimDeliveries(store, "hook", { nowMs, leaseMs: 500, limit: 5 });
    expect(await claim(1000)).toHaveLength(1);
    expect(await claim(1499)).toHaveLength(0);
    expect(await claim(1500)).toHaveLength(1);
  });
});

describe("the signature", () => {
  test("proves who sent the body; another body or another secret does not fit it", async () => {
    await using receiver = await startReceiver();
    const secretFile = join(await tempDir(), "secret");
    await writeFile(secretFile, "swordfish\n");
    const options = { env: {}, clock, signal: new AbortController().signal };
    const target = { ...hook(receiver.url), secretFile };
    expect(await deliver(target, testMessage("test-1", "instance"), options)).toEqual({ ok: true });
    const { headers, body } = receiver.received[0] ?? { headers: {}, body: "" };
    const [, seconds = "", digest] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers["x-tessera-signature"])) ?? [];
    const digestOf = (secret: string, text: string) =>
      createHmac("sha256", secret).update(`${seconds}.${text}`).digest("hex");
    expect(digest).toBe(digestOf("swordfish", body));
    expect(digest).not.toBe(digestOf("swordfish", `${body} `));
    expect(digest).not.toBe(digestOf("another", body));
  });

  test("a secret that cannot be read keeps the message back", async () => {
    await using receiver = await startReceiver();
    const options = { env: {}, clock, signal: new AbortController().signal };
    const target = { ...hook(receiver.url), secretFile: "/nowhere/secret" };
    expect(await deliver(target, testMessage("test-1", "instance"), options)).toMatchObject({
      ok: false,
    });
    expect(receiver.received).toEqual([]);
  });
});
