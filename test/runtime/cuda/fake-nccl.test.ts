import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakeFolder, noFake } from "./device/on-fake.ts";

const script = join(import.meta.dirname, "fake-nccl-rank.mjs");
const koffi = createRequire(import.meta.url).resolve("koffi");

interface Rank {
  readonly lines: string[];
  readonly ended: Promise<void>;
  /** The first line that starts so. */
  line(start: string): Promise<string>;
}

function startRank(rank: number, ranks: number, id?: string, env: NodeJS.ProcessEnv = {}): Rank {
  const args = [script, koffi, fakeFolder, String(rank), String(ranks), ...(id ? [id] : [])];
  const child: ChildProcess = spawn(process.execPath, args, {
    env: { ...process.env, FAKE_CUDA_DEVICES: String(ranks), ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  if (child.stdout === null) throw new Error("no output");
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const look of waiting) look();
  });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const line = (start: string) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = lines.find((one) => one.startsWith(start));
        if (found !== undefined) resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`ended without: ${start}`)));
    });
  return { lines, ended, line };
}

async function runRanks(ranks: number, env: NodeJS.ProcessEnv = {}) {
  const first = startRank(0, ranks, undefined, env);
  const id = (await first.line("id ")).slice(3);
  const others = Array.from({ length: ranks - 1 }, (_, index) =>
    startRank(index + 1, ranks, id, env),
  );
  return [first, ...others];
}

const answer = (rank: Rank) => rank.line("{").then((line) => JSON.parse(line) as unknown);

describe.skipIf(noFake !== "")(`ranks on the fake NCCL${noFake}`, () => {
  it("processes add up what each has", async () => {
    const ranks = await runRanks(3);
    for (const rank of ranks) {
      expect(await answer(rank)).toEqual({ first: 6, last: 600, error: 0 });
    }
  });

  it("one bit of one rank's answer is flipped", async () => {
    const [first, second] = await runRanks(2, { FAKE_CUDA_FLIP: "1:ncclAllReduce:1:31" });
    if (first === undefined || second === undefined) throw new Error("two ranks");
    expect(await answer(first)).toMatchObject({ first: 3 });
    expect(await answer(second)).toMatchObject({ first: -3 });
  });

  it("a rank that dies is an error of the others, not a hang", async () => {
    const [first] = await runRanks(2, { LEAVE_EARLY: "1" });
    if (first === undefined) throw new Error("a rank");
    expect(await answer(first)).toMatchObject({ error: 6 });
  });

  it("the log tells the path that was asked for", async () => {
    const env = {
      NCCL_DEBUG: "INFO",
      NCCL_P2P_DISABLE: "1",
      NCCL_SHM_DISABLE: "1",
      NCCL_NET: "IB",
    };
    const ranks = await runRanks(2, env);
    await Promise.all(ranks.map((rank) => rank.ended));
    const channels = ranks.flatMap((rank) => rank.lines.filter((line) => line.includes("Channel")));
    expect(channels).toHaveLength(8);
    expect(channels.every((line) => line.endsWith("via NET/IB/0/GDRDMA"))).toBe(true);
  });
});
