import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { Believed } from "../../../../src/platform/kube/access/believed.ts";
import { createKubeClient, createTokenReviewer } from "../../../../src/platform/kube/index.ts";
import { createRng } from "../../../../src/platform/rng/index.ts";
import { VirtualClock } from "../../../../src/platform/time/index.ts";
import { fakeKubeConfig } from "../../../support/fake-kube/index.ts";
import { waitUntil } from "../../../support/wait-until.ts";

/** Answers when it is let, and counts. */
function slow() {
  const answers: ((answer: string | undefined) => void)[] = [];
  const ask = () => new Promise<string | undefined>((resolve) => answers.push(resolve));
  return { answers, ask };
}

describe("what the API server said", () => {
  it("is asked once by many at once, however long that takes", async () => {
    const clock = new VirtualClock();
    const believed = new Believed<string>(clock);
    const { answers, ask } = slow();
    const first = believed.getOrAsk("alice", ask);
    await clock.advance(60_000);
    const second = believed.getOrAsk("alice", ask);
    expect(answers).toHaveLength(1);
    answers[0]?.("admin");
    expect(await Promise.all([first, second])).toEqual(["admin", "admin"]);
  });

  it("is asked for each apart, and again for what was refused or failed", async () => {
    const believed = new Believed<string>(new VirtualClock());
    const { answers, ask } = slow();
    const all = [believed.getOrAsk("alice", ask), believed.getOrAsk("bob", ask)];
    for (const answer of answers) answer(undefined);
    expect(await Promise.all(all)).toEqual([undefined, undefined]);
    await expect(
      believed.getOrAsk("alice", () => Promise.reject(new Error("away"))),
    ).rejects.toThrow("away");
    const again = believed.getOrAsk("alice", ask);
    answers[2]?.("read");
    expect(await again).toBe("read");
  });

  it("is believed for ten seconds from when it was asked", async () => {
    const clock = new VirtualClock();
    const believed = new Believed<string>(clock);
    await believed.getOrAsk("alice", async () => "admin");
    await clock.advance(9_999);
    expect(await believed.getOrAsk("alice", async () => "read")).toBe("admin");
    await clock.advance(1);
    expect(await believed.getOrAsk("alice", async () => "read")).toBe("read");
  });
});

it("an API server that does not answer about a token is asked once, and given up after 5 s", async () => {
  let asked = 0;
  const server = createServer(() => asked++);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const clock = new VirtualClock();
  const client = createKubeClient({
    config: fakeKubeConfig(`http://127.0.0.1:${port}`),
    clock,
    random: createRng("1").stream("test"),
  });
  onTestFinished(() => {
    client.close();
    server.closeAllConnections();
    server.close();
  });
  const outcome = createTokenReviewer({ client, clock })
    .userOf("somebody's")
    .then(
      () => "let in",
      ({ code }: { code: string }) => code,
    );
  await waitUntil("it was asked", () => asked > 0);
  await clock.advance(5_000);
  expect(await outcome).toBe("E_KUBE_UNREACHABLE");
  expect(asked).toBe(1);
});
