import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { textPlot } from "../../src/cli/collective/text-plot.ts";
import { collectiveCommand } from "../../src/cli/commands/collective.ts";
import { runHere } from "./in-process.ts";

const table = { specs: [collectiveCommand], groups: {} };
const collective = (...argv: readonly string[]) => runHere(["collective", ...argv], { table });

async function json(...argv: readonly string[]) {
  const { code, stdout, stderr } = await collective(...argv, "--json");
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return JSON.parse(stdout) as {
    readonly points: readonly { readonly bytes: number; readonly timeUs: number }[];
    readonly [key: string]: unknown;
  };
}

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-collective-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("tessera collective", () => {
  test("gives programs one object of exactly these fields", async () => {
    const result = await json(
      "all-reduce",
      "--devices",
      "72",
      "--bytes",
      "64MiB",
      "--topology",
      "nvl72",
    );
    expect(result).toEqual({
      op: "all-reduce",
      devices: 72,
      topology: "gb200-nvl72",
      concurrentGroups: 1,
      source: "modelled",
      points: [
        {
          bytes: 67_108_864,
          timeUs: expect.closeTo(350, -2),
          algbwGBps: expect.closeTo(190, -1),
          busbwGBps: expect.closeTo(380, -1.5),
          algorithm: "nvls",
        },
      ],
    });
  });

  test("carries a shape out and gives the digest of the result, the same each time", async () => {
    const args = ["--devices", "6", "--shape", "64x33", "--topology", "nvl72"];
    const first = await json("all-reduce", ...args);
    expect(first["digest"]).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(first.points[0]?.bytes).toBe(64 * 33 * 4);
    expect((await json("all-reduce", ...args))["digest"]).toBe(first["digest"]);
    const other = await json("all-reduce", ...args, "--seed", "another");
    expect(other["digest"]).not.toBe(first["digest"]);
    const hierarchical = await json("hierarchical-all-reduce", ...args);
    expect(hierarchical["digest"]).toBe(first["digest"]);
    const bf16 = await json("all-reduce", ...args, "--dtype", "bf16");
    expect(bf16.points[0]?.bytes).toBe(64 * 33 * 2);
  });

  test.each([
    "all-gather",
    "reduce-scatter",
    "all-to-all",
    "broadcast",
    "reduce",
    "gather",
    "scatter",
    "send-recv",
    "permute",
  ])("carries %s out", async (op) => {
    const result = await json(op, "--devices", "4", "--shape", "8x8", "--topology", "hgx-h100");
    expect(result["digest"]).toMatch(/^sha256:/);
  });

  test("a barrier moves nothing and has no digest", async () => {
    const result = await json(
      "barrier",
      "--devices",
      "4",
      "--shape",
      "8",
      "--topology",
      "hgx-h100",
    );
    expect(result).not.toHaveProperty("digest");
  });

  test.each(["all_reduce", "allreduce", "AllReduce", "ALL-REDUCE"])(
    "%s is all-reduce",
    async (op) => {
      const result = await json(op, "--devices", "8", "--bytes", "1MiB", "--topology", "hgx-b200");
      expect(result["op"]).toBe("all-reduce");
    },
  );

  test("a sweep doubles from one end to the other, or has as many points as asked for", async () => {
    const args = ["all-gather", "--devices", "8", "--topology", "mi355x", "--sweep"];
    const sizes = (await json(...args, "1KiB..5KiB")).points.map(({ bytes }) => bytes);
    expect(sizes).toEqual([1024, 2048, 4096, 5120]);
    const many = await json(...args, "1KiB..16GiB/1000");
    expect(many.points).toHaveLength(1000);
    expect(many.points.at(-1)?.bytes).toBe(2 ** 34);
    const times = many.points.map(({ timeUs }) => timeUs);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test("groups of a mesh are timed as groups that run at once", async () => {
    const size = ["--bytes", "64MiB", "--topology", "nvl72"];
    const mesh = await json(
      "all-gather",
      "--devices",
      "72",
      "--axes",
      "tp,pp,dp",
      "--over",
      "tp",
      ...size,
    );
    const plain = await json("all-gather", "--devices", "6", "--concurrent-groups", "12", ...size);
    expect(mesh).toEqual(plain);
    const named = ["--axes", "node=16,gpu=8", "--topology", "hgx-h100", "--bytes", "64MiB"];
    const inside = await json("all-reduce", "--devices", "128", "--over", "gpu", ...named);
    const across = await json("all-reduce", "--devices", "128", "--over", "node", ...named);
    expect([inside["devices"], across["devices"]]).toEqual([8, 16]);
    expect(across.points[0]?.timeUs).toBeGreaterThan(2 * (inside.points[0]?.timeUs ?? 0));
  });

  test("people get a table, the curve of a sweep, and that it is modelled", async () => {
    const { stdout } = await collective(
      "all-reduce",
      "--devices",
      "1024",
      "--sweep",
      "1MiB..16GiB",
      "--topology",
      "hgx-h100",
    );
    expect(stdout).toContain("all-reduce over 1024 devices, in 128 domains over ndr");
    expect(stdout).toMatch(/SIZE +TIME +ALGBW +BUSBW +LINK +ALGORITHM +SOURCE/);
    expect(stdout).toMatch(/64 MiB .* GB\/s .* hierarchical +modelled \*/);
    expect(stdout).toMatch(/16 GiB .* ring +modelled \*/);
    expect(stdout).toContain("•");
    expect(stdout).toContain("All times are modelled");
    const single = await collective(
      "all-reduce",
      "--devices",
      "8",
      "--bytes",
      "1GiB",
      "--topology",
      "h100",
    );
    expect(single.stdout).not.toContain("•");
  });

  test("--html writes a page of its own with both curves", async () => {
    const file = join(folder, "sweep.html");
    await json(
      "all-reduce",
      "--devices",
      "72",
      "--sweep",
      "1KiB..1GiB",
      "--topology",
      "nvl72",
      "--html",
      file,
    );
    const page = await readFile(file, "utf8");
    expect(page.match(/<svg/g)).toHaveLength(2);
    expect(page).toContain("modelled");
  });

  test("a file of the user's own is a topology", async () => {
    const file = join(folder, "own.yaml");
    await writeFile(file, "name: own\nlike: hgx-h100\nlinkGBps: 225\n");
    const args = ["all-reduce", "--devices", "8", "--bytes", "1GiB", "--topology"];
    const own = await json(...args, file);
    expect(own["topology"]).toBe("own");
    const ratio =
      (own.points[0]?.timeUs ?? 0) / ((await json(...args, "h100")).points[0]?.timeUs ?? 1);
    expect(ratio).toBeCloseTo(2, 1);
  });
});

describe("what tessera collective refuses", () => {
  const good = ["--devices", "8", "--bytes", "1MiB", "--topology", "hgx-h100"];
  test.each<[string, readonly string[], RegExp]>([
    ["an unknown collective", ["al-reduce", ...good], /E_USAGE.*did you mean `all-reduce`/s],
    ["one device", ["all-reduce", ...good, "--devices", "1"], /E_USAGE.*from 2 to/s],
    [
      "no topology",
      ["all-reduce", "--devices", "8", "--bytes", "1"],
      /E_USAGE.*--topology is missing/s,
    ],
    [
      "no devices",
      ["all-reduce", "--bytes", "1", "--topology", "h100"],
      /E_USAGE.*--devices is missing/s,
    ],
    ["no size", ["all-reduce", "--devices", "8", "--topology", "h100"], /E_USAGE.*one of --shape/s],
    ["two sizes", ["all-reduce", ...good, "--sweep", "1..2"], /E_USAGE.*one of --shape/s],
    ["a size without sense", ["all-reduce", ...good, "--bytes", "1M"], /E_USAGE.*--bytes is "1M"/s],
    ["a size of more than a PiB", ["all-reduce", ...good, "--bytes", "2PiB"], /E_USAGE.*1 PiB/s],
    [
      "a dtype without a shape",
      ["all-reduce", ...good, "--dtype", "f32"],
      /E_USAGE.*belongs to --shape/s,
    ],
    [
      "axes and groups",
      ["all-reduce", ...good, "--axes", "a,b", "--concurrent-groups", "2"],
      /E_USAGE.*leave --concurrent/s,
    ],
    ["over without axes", ["all-reduce", ...good, "--over", "tp"], /E_USAGE.*--axes too/s],
    [
      "an axis that is not there",
      ["all-reduce", ...good, "--axes", "a,b", "--over", "c"],
      /E_MESH_AXIS/,
    ],
    [
      "an unknown system",
      ["all-reduce", ...good, "--topology", "hgx-h10"],
      /E_TOPOLOGY.*did you mean/s,
    ],
    [
      "a file that is not there",
      ["all-reduce", ...good, "--topology", "./none.yaml"],
      /E_FILE_READ/,
    ],
    [
      "an algorithm that cannot",
      ["all-to-all", ...good, "--algorithm", "tree"],
      /E_ALGORITHM.*pairwise/s,
    ],
    ["an unknown algorithm", ["all-reduce", ...good, "--algorithm", "rings"], /E_USAGE/],
  ])("%s", async (_what, argv, message) => {
    const { code, stdout, stderr } = await collective(...argv);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
    expect(stdout).toBe("");
  });

  test.each(["0x4", "4x", "x", "-4", "4.5"])("the shape %s", async (shape) => {
    const args = ["--devices", "2", "--topology", "h100", `--shape=${shape}`];
    const { code, stderr } = await collective("all-reduce", ...args);
    expect(code).toBe(2);
    expect(stderr).toContain("--shape is");
  });

  test.each(["1KiB", "2KiB..1KiB", "0..4", "1..2/1", "1..2/9999999"])(
    "the sweep %s",
    async (sweep) => {
      const args = ["--devices", "2", "--topology", "h100", "--sweep", sweep];
      const { code, stderr } = await collective("all-reduce", ...args);
      expect(code).toBe(2);
      expect(stderr).toContain("--sweep");
    },
  );
});

describe("a curve in characters", () => {
  const format = { x: String, y: String, rows: 3, columns: 5 };

  test("puts the smallest at the bottom left and the largest at the top right", () => {
    const points = [
      { x: 1, y: 1 },
      { x: 10, y: 10 },
      { x: 100, y: 100 },
    ];
    expect(textPlot(points, format)).toEqual([
      "100 │    •",
      "    │  •",
      "  1 │•",
      "    └─────",
      "     1 100",
    ]);
  });

  test("a level line lies on the bottom, and one point is no curve", () => {
    const level = [
      { x: 1, y: 5 },
      { x: 2, y: 5 },
    ];
    expect(textPlot(level, format)[2]).toBe("5 │•   •");
    expect(textPlot([{ x: 1, y: 1 }], format)).toEqual([]);
  });
});
