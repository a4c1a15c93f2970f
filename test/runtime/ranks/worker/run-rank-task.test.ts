import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { type RankTask, runRankTask } from "../../../../src/runtime/ranks/index.ts";
import { formatAddress } from "../../../../src/runtime/ranks/wire/address.ts";
import { encodeFrame } from "../../../../src/runtime/ranks/wire/frames.ts";
import { listenForPeers } from "../../../../src/runtime/ranks/wire/listen.ts";
import { clock, secret } from "../support/here.ts";

/** A launcher's side of the line, and a worker that runs a task for it. */
async function work(task: RankTask, workerSecret = secret) {
  const sockets: Socket[] = [];
  const listener = await listenForPeers({
    secret,
    clock,
    admit: () => ({ words: {} }),
    onSocket: (socket) => {
      sockets.push(socket);
      socket.on("error", () => {}).resume();
      socket.write(encodeFrame({ type: "start", input: "go" }));
    },
  });
  onTestFinished(() => listener.close());
  const place = { rank: 0, worldSize: 1, rendezvous: "127.0.0.1:1", secret: workerSecret };
  const signal = new AbortController().signal;
  const launcher = formatAddress(listener.address);
  return { sockets, end: runRankTask({ ...place, task, launcher, clock, env: {}, signal }) };
}

describe("a worker", () => {
  test("gives its task what the launcher sent, and ends when the value has gone out", async () => {
    const { end } = await work(async ({ input }) => input);
    expect(await end).toBe("completed");
  });

  test("tells its task to stop when the launcher goes, and waits for it no longer", async () => {
    let told: unknown;
    const { sockets, end } = await work(({ signal }) => {
      signal.addEventListener("abort", () => {
        told = signal.reason;
      });
      for (const socket of sockets) socket.destroy();
      return new Promise(() => {});
    });
    expect(await end).toBe("abandoned");
    expect(String(told)).toContain("the launcher is gone");
  });

  test("does not work for someone who does not know the secret", async () => {
    let ran = false;
    const { end } = await work(async () => {
      ran = true;
    }, "another secret");
    await expect(end).rejects.toMatchObject({ code: "E_RENDEZVOUS" });
    expect(ran).toBe(false);
  });
});
