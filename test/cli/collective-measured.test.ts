import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { parseTopology } from "../../src/runtime/dist/topology/index.ts";
import { runCli, startCli } from "../support/built-cli.ts";
import { isRunning } from "../support/is-running.ts";
import { tempDir } from "../support/temp-dir.ts";
import { waitUntil } from "../support/wait-until.ts";

const measured = ["collective", "all-reduce", "--measured", "--transport", "tcp"];

/** Measured times of a machine with a launch, hops and a rate, as `--save` writes them. */
function saved(ranks: number, change: Record<string, unknown> = {}): string {
  const points = [1e3, 1e4, 1e5, 1e6, 1e7].map((bytes) => {
    const timeUs = 20 + 5 * 2 * (ranks - 1) + (bytes / 1e6) * 500 * ((2 * (ranks - 1)) / ranks);
    return { bytes, timeUs, timesUs: [timeUs], wrong: 0 };
  });
  const format = "tessera-measured-collective";
  return JSON.stringify({ format, op: "all-reduce", ranks, transport: "tcp", points, ...change });
}

describe("tessera collective --measured", () => {
  test("measures real processes, beside the model, and saves the times", async () => {
    const folder = await tempDir();
    const args = [...measured, "--ranks", "2", "--bytes", "1KiB,64KiB", "--iterations", "3"];
    const { code, stdout, stderr } = await runCli(
      [...args, "--topology", "hgx-h100", "--save", "times.json", "--json"],
      { cwd: folder },
    );
    expect([code, stderr]).toEqual([0, ""]);
    const result = JSON.parse(stdout) as { points: readonly Record<string, unknown>[] };
    expect(result).toMatchObject({
      devices: 2,
      transport: "tcp",
      source: "measured",
      dtype: "f32",
    });
    expect(result.points.map(({ bytes, wrong, elements }) => [bytes, wrong, elements])).toEqual([
      [1024, 0, 1024],
      [65_536, 0, 65_536],
    ]);
    expect(result.points[0]).toMatchObject({ modelled: { source: "modelled" } });
    const file = JSON.parse(await readFile(join(folder, "times.json"), "utf8")) as object;
    expect(file).toMatchObject({ format: "tessera-measured-collective", ranks: 2 });
  });

  test("people see which times are measured and which are modelled", async () => {
    const args = [...measured, "--bytes", "4KiB", "--iterations", "2", "--topology", "nvl72"];
    const { stdout } = await runCli(args);
    expect(stdout).toMatch(/SIZE +MEASURED .* MODELLED/);
    expect(stdout).toContain("Times are measured");
  });

  test("--html writes a page with the measured curves, and the modelled ones beside them", async () => {
    const folder = await tempDir();
    const args = [...measured, "--bytes", "4KiB,64KiB", "--iterations", "2", "--html", "page.html"];
    const { code } = await runCli([...args, "--topology", "hgx-h100"], { cwd: folder });
    const page = await readFile(join(folder, "page.html"), "utf8");
    expect([code, page.match(/<svg/g)?.length]).toEqual([0, 2]);
    expect(page).toContain("measured, fastest to slowest");
    expect(page).toContain(">modelled<");
  });

  test("a rank that dies is named, and nothing is printed as a result", async () => {
    const { code, stdout, stderr } = await runCli([
      ...measured,
      "--lose",
      "1",
      "--bytes",
      "1KiB,2KiB",
    ]);
    expect([code, stdout]).toEqual([3, ""]);
    expect(stderr).toContain(
      "E_RANK_LOST: Rank 1 did not come to its end: it was killed by SIGKILL",
    );
  });

  test.each([
    [["--ranks", "2", "--devices", "2"], "not both"],
    [["--algorithm", "ring"], "--algorithm is for modelled times"],
    [["--dtype", "e4m3"], "cannot be summed"],
    [["--lose", "9"], "a rank from 0 to 1"],
    [["--ranks", "1000"], "at most 256"],
    [["--manifests", "job", "--ranks", "2"], "needs --image"],
    [["--manifests", "job", "--image", "x"], "needs --ranks"],
    [["--manifests", "job", "--image", "x", "--html", "x.html"], "leave --html out"],
  ])("%j is refused", async (extra, words) => {
    const { code, stderr } = await runCli([...measured, ...extra]);
    expect([code, stderr.includes(words)]).toEqual([2, true]);
  });

  test("an option of --measured without it is refused", async () => {
    const { code, stderr } = await runCli(["collective", "all-reduce", "--ranks", "2"]);
    expect([code, stderr.includes("--ranks is for --measured")]).toEqual([2, true]);
  });

  test("manifests have a new secret each time", async () => {
    const args = [...measured, "--manifests", "job", "--ranks", "2", "--image", "i/t:1"];
    const texts = await Promise.all([runCli(args), runCli([...args, "--json"])]);
    const [yaml, json] = texts.map(({ stdout }) => stdout);
    const kinds = parseAllDocuments(yaml ?? "").map((document) => document.get("kind"));
    expect(kinds).toEqual(["Secret", "NetworkPolicy", "Service", "Job"]);
    const list = JSON.parse(json ?? "") as {
      items: readonly { stringData?: { secret: string } }[];
    };
    expect(list.items).toHaveLength(4);
    expect(yaml).not.toContain(list.items[0]?.stringData?.secret);
  });
});

describe("tessera collective calibrate", () => {
  test("a machine's own times come back from the topology it writes", async () => {
    const folder = await tempDir();
    await writeFile(join(folder, "two.json"), saved(2));
    await writeFile(join(folder, "four.json"), saved(4));
    const fitted = await runCli(
      ["collective", "calibrate", "two.json", "four.json", "--output", "own.yaml"],
      { cwd: folder },
    );
    expect([fitted.code, fitted.stderr]).toEqual([0, ""]);
    expect(fitted.stdout).toMatch(/all-reduce +2-4 .* 10 /);
    const yaml = await readFile(join(folder, "own.yaml"), "utf8");
    expect(parseTopology(yaml, "own.yaml").measured).toHaveProperty("all-reduce");
    const modelled = await runCli(
      [
        "collective",
        "all-reduce",
        "--topology",
        "own.yaml",
        "--devices",
        "4",
        "--bytes",
        "1000000",
        "--json",
      ],
      { cwd: folder },
    );
    const { points } = JSON.parse(modelled.stdout) as { points: readonly [{ timeUs: number }] };
    expect(points[0].timeUs / (20 + 30 + 750)).toBeCloseTo(1, 1);
  });

  test("without --output the topology is what it prints", async () => {
    const folder = await tempDir();
    await writeFile(join(folder, "two.json"), saved(2));
    const { stdout } = await runCli(
      ["collective", "calibrate", "two.json", "--name", "lab", "--like", "h200"],
      { cwd: folder },
    );
    expect(parse(stdout)).toMatchObject({ name: "lab", like: "hgx-h200", domainGpus: 2 });
  });

  test.each([
    ["not JSON", "{", "is not what"],
    ["another file", '{"a":1}', "is not what"],
    ["one rank", saved(1), "one rank moves nothing"],
    [
      "one size",
      saved(2, { points: [{ bytes: 1, timeUs: 1, timesUs: [1], wrong: 0 }] }),
      "one size",
    ],
    [
      "wrong answers",
      saved(2, { points: [1, 2].map((bytes) => ({ bytes, timeUs: 1, timesUs: [1], wrong: 1 })) }),
      "wrong elements",
    ],
  ])("%s is refused", async (_, text, words) => {
    const folder = await tempDir();
    await writeFile(join(folder, "times.json"), text);
    const { code, stderr } = await runCli(["collective", "calibrate", "times.json"], {
      cwd: folder,
    });
    expect([code, stderr.includes("E_MEASUREMENT"), stderr.includes(words)]).toEqual([
      2,
      true,
      true,
    ]);
  });
});

describe("tessera agent rank", () => {
  test("ranks that somebody else started meet and measure; rank 0 prints the result", async () => {
    const port = await freePort();
    const env = {
      TESSERA_WORLD_SIZE: "2",
      TESSERA_RENDEZVOUS: `127.0.0.1:${port}`,
      TESSERA_RANK_SECRET: "a secret of sixteen or more",
      TESSERA_RANK_INPUT: JSON.stringify({ op: "all-gather", sizes: [4096], iterations: 2 }),
    };
    const rank = (own: Record<string, string>) =>
      runCli(["agent", "rank", "collective"], { env: { ...env, ...own } });
    const [zero, one] = await Promise.all([
      rank({ JOB_COMPLETION_INDEX: "0" }),
      rank({ VC_TASK_INDEX: "1" }),
    ]);
    expect([zero.code, one.code, one.stdout]).toEqual([0, 0, ""]);
    expect(JSON.parse(zero.stdout)).toMatchObject({
      format: "tessera-measured-collective",
      source: "measured",
      op: "all-gather",
      ranks: 2,
      points: [{ wrong: 0 }],
    });
  });

  test("the worker is for this program alone: hidden, and useless without its launcher", async () => {
    const help = await runCli(["agent", "--help"]);
    expect(help.stdout).toContain("rank");
    expect(help.stdout).not.toContain("worker");
    const worker = await runCli(["agent", "worker", "collective"], {
      env: { TESSERA_RANK: "0", TESSERA_WORLD_SIZE: "1", TESSERA_RENDEZVOUS: "127.0.0.1:1" },
      stdin: "{}",
    });
    expect([worker.code, worker.stderr.includes("E_RANK_ENVIRONMENT")]).toEqual([2, true]);
  });
});

describe("tessera scale", () => {
  test("steps of real ranks are measured, and the model stands beside", async () => {
    const args = [
      "scale",
      "strong",
      "--measured",
      "--ranks",
      "1,2",
      "--batch",
      "64",
      "--size",
      "32",
    ];
    const { code, stdout, stderr } = await runCli([
      ...args,
      "--steps",
      "2",
      "--topology",
      "h100",
      "--json",
    ]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({
      source: "measured",
      ranksThatDisagree: [],
      points: [
        { ranks: 1, rows: 64, efficiency: 1 },
        { ranks: 2, rows: 64, modelled: { source: "modelled" } },
      ],
    });
  });

  test("without --measured it says what it needs", async () => {
    const { code, stderr } = await runCli(["scale", "weak"]);
    expect([code, stderr.includes("--measured")]).toEqual([2, true]);
  });
});

test("a killed measurement leaves no rank behind", async () => {
  const running = await startCli([
    ...measured,
    "--ranks",
    "2",
    "--bytes",
    "64MiB",
    "--iterations",
    "9999",
  ]);
  const { pid = 0 } = running.child;
  const ranks = () => childrenOf(pid);
  await waitUntil("the ranks run", async () => (await ranks()).length >= 2);
  const before = await ranks();
  running.child.kill("SIGKILL");
  await running.result;
  await waitUntil("no rank is left", () => before.every((one) => !isRunning(one)));
});

/** A port that nobody listens on now; ranks need to know it before rank 0 listens. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  const pids = text.split(" ").filter(Boolean).map(Number);
  const commands = await Promise.all(
    pids.map(
      async (one) => [one, await readFile(`/proc/${one}/cmdline`, "utf8").catch(() => "")] as const,
    ),
  );
  return commands.filter(([, command]) => command.includes("worker")).map(([one]) => one);
}
