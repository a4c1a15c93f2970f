import { readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempDir } from "../support/temp-dir.ts";
import { runHere } from "./in-process.ts";

interface Shape {
  readonly clusters: readonly {
    readonly cluster: string;
    readonly kind: string;
    readonly provenance: string;
    readonly nodes: { readonly total: number; readonly free: number };
    readonly queue: readonly {
      readonly node: string;
      readonly check: string;
      readonly reason: string;
    }[];
    readonly queueLength: number;
    readonly postponed: readonly { readonly rail: string; readonly reason: string }[];
    readonly postponedLength: number;
  }[];
}

/** A configuration with two made-up clusters, and a store of its own. */
async function setUp(): Promise<readonly string[]> {
  const folder = await tempDir();
  const config = {
    dataDir: folder,
    validation: {
      policy: "stale",
      limits: { inFlight: 3 },
      clusters: [
        { name: "east", kind: "simulated", nodes: 24, speed: 1 },
        { name: "west", kind: "simulated", nodes: 6, speed: 1, policy: "risk" },
      ],
    },
  };
  const path = join(folder, "tessera.yaml");
  await writeFile(path, JSON.stringify(config));
  return ["--config", path];
}

const planOf = async (...args: readonly string[]) => {
  const config = await setUp();
  const { code, stdout, stderr } = await runHere(["plan", ...args, ...config]);
  return { code, stdout, stderr };
};

describe("tessera plan", () => {
  it("shows what would be begun on every cluster, and what waits, each with its reason", async () => {
    const { code, stdout } = await planOf("--json");
    expect(code).toBe(0);
    const { clusters } = JSON.parse(stdout) as Shape;
    expect(clusters.map(({ cluster }) => cluster)).toEqual(["east", "west"]);
    for (const { provenance, queue, postponed, queueLength } of clusters) {
      expect(provenance).toBe("simulated");
      expect(queueLength).toBeLessThanOrEqual(3);
      expect([...queue, ...postponed].every(({ reason }) => reason.length > 3)).toBe(true);
    }
    const [east] = clusters;
    expect(east?.nodes.total).toBe(24);
    expect(east?.queue.every(({ reason }) => reason === "never tested")).toBe(true);
    expect(east?.postponedLength).toBeGreaterThan(3);
  });

  it("shows one cluster and as many runs as asked for, to people", async () => {
    const { code, stdout } = await planOf("--cluster", "east", "--limit", "1");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^east \(24 .*simulated.*\): policy stale; \d+ of 24 nodes free/);
    expect(stdout).toContain("never tested");
    expect(stdout).toMatch(/and \d+ more/);
    expect(stdout).not.toContain("west");
  });

  it("changes nothing: the next one finds the same and no run is open", async () => {
    const config = await setUp();
    const ask = async () =>
      JSON.parse((await runHere(["plan", "--json", ...config])).stdout) as Shape;
    const first = await ask();
    const second = await ask();
    expect(second.clusters.map(({ queueLength }) => queueLength)).toEqual(
      first.clusters.map(({ queueLength }) => queueLength),
    );
    expect(JSON.stringify(second)).toContain('"inFlight":{"now":0,"max":3}');
  });

  it.each(["0", "x", "1.5", "1000001"])("refuses a limit of %s", async (limit) => {
    const { code, stderr } = await planOf("--limit", limit);
    expect(code).toBe(2);
    expect(stderr).toContain("--limit");
  });

  it("refuses a cluster that the configuration does not have", async () => {
    const { code, stderr } = await planOf("--cluster", "esat");
    expect(code).toBe(2);
    expect(stderr).toContain("east");
  });

  it("leaves nothing behind where there is no store yet", async () => {
    const config = await setUp();
    const folder = dirname(config[1] ?? "");
    const { code } = await runHere(["plan", ...config]);
    expect(code).toBe(0);
    expect(await readdir(folder)).toEqual(["tessera.yaml"]);
  });
});
