import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../support/built-cli.ts";
import { tempDir } from "../support/temp-dir.ts";

const figure = '{"figures":{"rpm":{"samples":[1,2,3],"higherIsBetter":true}}}';
const check = (name: string) => ({ name, options: { command: ["sh", "-c", `echo '${figure}'`] } });

/** This machine with two checks of no time, as a command that may be repeated. */
async function machineWith(limits: object) {
  const folder = await tempDir();
  const clusters = [{ name: "here", kind: "local", policy: "stale", limits: { cooldown: 0 } }];
  const config = join(folder, "tessera.yaml");
  const checks = [check("fans"), check("pumps")];
  const validation = { clusters, checks, limits };
  await writeFile(config, JSON.stringify({ dataDir: folder, validation }));
  return () => runCli(["validate", "--once", "--config", config], { limitMs: 110_000 });
}

describe("a single pass over this machine", () => {
  test("has every check that is due; the next one says that nothing was", async () => {
    const pass = await machineWith({});
    const first = await pass();
    expect(first.stdout, first.stderr).toMatch(/^\[1\] unknown \S+ fans: /m);
    expect(first.stdout).toMatch(/^\[2\] unknown \S+ pumps: /m);
    expect(first.stdout).toMatch(/^2 unknown; took /m);
    expect(first.stdout).not.toContain("nothing was due");
    const second = await pass();
    expect(second.stdout).toContain(
      "here: nothing was due: results count for 7 d, and nothing waits to be tested.",
    );
    // Nothing was found to be good either.
    expect(second.code).toBe(3);
  });

  test("says what it left, and why", async () => {
    const pass = await machineWith({ quietHours: ["00:00-12:30", "12:00-00:30"] });
    const { stdout, code, stderr } = await pass();
    expect(stdout, stderr).toMatch(/^\[1\] skipped \S+ fans: .*quiet hours/m);
    expect(stdout).toMatch(/^\[2\] skipped \S+ pumps: .*quiet hours/m);
    expect(stdout).not.toContain("nothing was due");
    expect(code).toBe(3);
  });
});
