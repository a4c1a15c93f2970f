import { describe, expect, test } from "vitest";
import { openHistory } from "../../../src/validation/history/index.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { startReceiver } from "./receiver.ts";
import {
  clock,
  conclude,
  experimentRow,
  hook,
  isListening,
  newStore,
  settings,
  startNotifier,
} from "./support.ts";

describe("new failures", () => {
  test("a node that fails is told once, with its reason, and once more when it is well", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    await using _ = startNotifier(store, hook(receiver.url));
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "n1", verdict: "fail" });
    await waitUntil("the failure arrives", () => receiver.received.length === 1);
    await conclude(store, { node: "n1", verdict: "fail" });
    await conclude(store, { node: "n1", verdict: "pass" });
    await waitUntil("the recovery arrives", () => receiver.received.length === 2);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ items }) => items[0])).toMatchObject([
      { event: "node.failed", node: "n1", cluster: "prod", severity: "critical", link: null },
      { event: "node.recovered", node: "n1", severity: "note" },
    ]);
    expect(bodies[0].text).toContain("gemm: 412 TFLOP/s is below 540 TFLOP/s.");
  });

  test("what failed before anybody listened, and what cannot be decided, is no news", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    await conclude(store, { node: "old", verdict: "fail" });
    await using _ = startNotifier(store, hook(receiver.url));
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "odd", verdict: "unknown" });
    await conclude(store, { node: "odd", verdict: "suspect", check: "nccl" });
    await conclude(store, { node: "bad", verdict: "fail" });
    await waitUntil("the failure arrives", () => receiver.received.length > 0);
    expect(receiver.received).toHaveLength(1);
    expect(receiver.received[0]?.body).toContain('"bad"');
  });

  test("a node that passes one check and fails another has not recovered", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    await using _ = startNotifier(store, hook(receiver.url));
    await waitUntil("it listens", () => isListening(store));
    await conclude(store, { node: "n1", verdict: "fail", check: "gemm" });
    await waitUntil("the failure arrives", () => receiver.received.length === 1);
    await conclude(store, { node: "n1", verdict: "pass", check: "nccl" });
    await conclude(store, { node: "n2", verdict: "fail" });
    await waitUntil("the second failure arrives", () => receiver.received.length === 2);
    expect(receiver.received[1]?.body).toContain('"n2"');
  });

  test("a node that Tessera closed is told; one that a person opened is not", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    await using _ = startNotifier(store, hook(receiver.url));
    await waitUntil("it listens", () => isListening(store));
    const event = {
      cluster: "prod",
      atMs: clock.nowMs(),
      details: { reason: "gemm failed twice." },
    };
    await openHistory(store).recordNodeEvents([
      { ...event, node: "n2", kind: "released" },
      { ...event, node: "n1", kind: "cordoned" },
    ]);
    await waitUntil("it arrives", () => receiver.received.length > 0);
    expect(JSON.parse(receiver.received[0]?.body ?? "").items).toMatchObject([
      { event: "node.closed", node: "n1", reason: "gemm failed twice." },
    ]);
  });

  test("simulated nodes are told of only where the settings want it, and then say so", async () => {
    await using silent = await startReceiver();
    await using asked = await startReceiver();
    const failure = {
      node: "s1",
      verdict: "fail",
      cluster: "sim",
      provenance: "simulated",
    } as const;
    for (const [receiver, simulated] of [
      [silent, false],
      [asked, true],
    ] as const) {
      const store = await newStore();
      await using _ = startNotifier(store, hook(receiver.url), {
        settings: { ...settings, simulated },
      });
      await waitUntil("it listens", () => isListening(store));
      await conclude(store, failure);
      await conclude(store, { node: "real", verdict: "fail" });
      // Which of two that are told in one go comes first is nobody's promise.
      const wanted = simulated ? ['"real"', '"s1"'] : ['"real"'];
      await waitUntil("all that are wanted arrive", () =>
        wanted.every((name) => receiver.received.some(({ body }) => body.includes(name))),
      );
    }
    expect(silent.received.map(({ body }) => body).join()).not.toContain("s1");
    const message = asked.received.find(({ body }) => body.includes('"s1"'));
    expect(JSON.parse(message?.body ?? "").text).toMatch(/^Simulated: /);
  });

  test("an open breaker and a fault that was left are told once", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    let breaker: string | null = "9 of 10 nodes are closed by us.";
    let asked = 0;
    const sources = {
      breakers: () => {
        asked++;
        return [{ cluster: "prod", provenance: "measured" as const, reason: breaker }];
      },
      faultsLeft: () => [{ id: "f1", what: "xid 79 on n1", reason: "The agent is gone." }],
    };
    await using _ = startNotifier(store, hook(receiver.url), { sources });
    const events = () =>
      receiver.received.flatMap(({ body }) =>
        JSON.parse(body).items.map(({ event }: { event: string }) => event),
      );
    await waitUntil("both arrive and it looked again", () => events().length === 2 && asked > 3);
    expect(new Set(events())).toEqual(new Set(["breaker.open", "fault.left"]));
    breaker = null;
    const before = asked;
    await waitUntil("it saw the breaker shut", () => asked > before + 2);
    breaker = "9 of 10 nodes are closed by us.";
    await waitUntil("it is told again", () => events().length === 3);
  });
});

describe("experiments", () => {
  test("one that failed is told with its reason and its world; one that passed is not", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    await using _ = startNotifier(store, hook(receiver.url));
    await waitUntil("it listens", () => isListening(store));
    const outcomes = ["pass", "inconclusive", "fail"] as const;
    const rows = outcomes.map((outcome) => experimentRow(outcome, outcome, clock.nowMs()));
    await store.db.insertInto("experiments").values(rows).execute();
    await waitUntil("it arrives", () => receiver.received.length > 0);
    expect(receiver.received).toHaveLength(1);
    expect(JSON.parse(receiver.received[0]?.body ?? "").items).toMatchObject([
      { event: "experiment.failed", provenance: "simulated", reason: "The job did not recover." },
    ]);
  });
});

describe("a storm", () => {
  test("becomes one message with a list; a few failures are told one by one", async () => {
    await using receiver = await startReceiver();
    const store = await newStore();
    await using notifier = startNotifier(store, hook(receiver.url));
    await waitUntil("it listens", () => isListening(store));
    const nodes = Array.from({ length: 40 }, (_, index) => `n${index}`);
    await conclude(store, ...nodes.map((node) => ({ node, verdict: "fail" as const })));
    await waitUntil("the list arrives", () => notifier.changes.length === 1);
    await conclude(store, { node: "m1", verdict: "fail" }, { node: "m2", verdict: "fail" });
    await waitUntil("two more arrive", () => notifier.changes.length === 3);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ items }) => items.length)).toEqual([40, 1, 1]);
    expect(bodies[0].text).toBe("40 nodes failed.");
  });
});
