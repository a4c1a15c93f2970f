import { stat } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { auditLog, openStore } from "../../src/platform/store/index.ts";
import { VirtualClock } from "../../src/platform/time/virtual-clock.ts";
import { openHistory } from "../../src/validation/history/index.ts";
import { tempDir } from "../support/temp-dir.ts";
import { dayMs, fleet, startMs } from "../validation/judge/records.ts";
import { runHere } from "./in-process.ts";

/** A store with healthy runs of ten nodes at each level, six days apart. */
async function storeWith(...levels: readonly number[]) {
  const path = join(await tempDir(), "t.db");
  const add = async (level: number, atMs: number) => {
    const store = await openStore({ url: `sqlite:${path}`, clock: new VirtualClock() });
    const runs = fleet(10, { verdict: {}, level, atMs });
    await openHistory(store).recordRuns(
      runs.flatMap(({ intent, result, verdict }) => {
        if (result === undefined || verdict === undefined) return [];
        const { origin, ...rest } = result;
        return [{ intent, result: rest, origin, verdict }];
      }),
    );
    await store.close();
  };
  // Those of the last day are held out, so the newest runs only say what time it is.
  for (const [at, level] of levels.entries()) await add(level, startMs + at * 6 * dayMs);
  const env = { TESSERA_STORE_URL: `sqlite:${path}`, USER: "ann" };
  const cli = (...args: readonly string[]) => runHere(["baseline", ...args], { env });
  const json = async <T>(...args: readonly string[]) => {
    const { stdout } = await cli(...args, "--json");
    return JSON.parse(stdout) as T;
  };
  return { path, cli, json, add };
}

interface Proposed {
  readonly candidates: readonly { readonly id: string; readonly state: string }[];
  readonly activated: readonly string[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

describe("tessera baseline", () => {
  it("proposes, shows, activates and lists, and the audit log knows who did it", async () => {
    const { path, cli, json } = await storeWith(100, 100);
    const proposed = await cli("propose");
    expect(proposed.code).toBe(0);
    const id = /bl-[0-9a-f]{12}/.exec(proposed.stdout)?.[0] ?? "";
    expect(proposed.stdout).toContain("candidate");
    const shown = await cli("show", id.slice(0, 8));
    expect(shown.stdout).toMatch(/speed +(99|100)/);
    expect(shown.stdout).toContain("runsDigest: ");
    expect(await cli("activate", id, "--reason", "first one.")).toMatchObject({
      code: 0,
      stdout: `${id} is in force now.\n`,
    });
    const listed = await json<{
      baselines: { id: string; state: string; actor: string; reason: string }[];
    }>("list");
    expect(listed.baselines).toMatchObject([
      { id, state: "active", actor: "ann", reason: "first one" },
    ]);
    expect((await cli("list", "--state", "rejected")).stdout).toBe("There is no such baseline.\n");
    const store = await openStore({ url: `sqlite:${path}`, clock: new VirtualClock() });
    const audit = await auditLog.list(store.db);
    await store.close();
    expect(audit.map(({ action, actor }) => `${actor} ${action}`)).toEqual([
      "ann baseline.activate",
      "ann baseline.propose",
    ]);
  });

  it("refuses what moved in the bad direction, with the figure and the movement", async () => {
    const { cli, json, add } = await storeWith(100, 100);
    const first = await json<Proposed>("propose", "--activate", "--days", "7");
    expect(first.activated).toHaveLength(1);
    await add(95, startMs + 8 * dayMs);
    await add(95, startMs + 14 * dayMs);
    const { code, stdout } = await cli("propose", "--activate", "--days", "7", "--json");
    const { refused, candidates } = JSON.parse(stdout) as Proposed;
    expect(code).toBe(1);
    expect(refused).toMatchObject([{ id: candidates[0]?.id }]);
    expect(refused[0]?.reason).toMatch(/the median of speed is [45](\.\d)? % worse/);

    const again = await cli("activate", refused[0]?.id ?? "", "--reason", "try");
    expect(again.code).toBe(1);
    expect(again.stderr).toContain("E_BASELINE_REFUSED");
    const shown = await cli("show", refused[0]?.id ?? "");
    expect(shown.stdout).toContain("against activating it: the median of speed");
    const forced = await cli(
      "activate",
      refused[0]?.id ?? "",
      "--reason",
      "new cooling",
      "--force",
    );
    expect(forced.stdout).toContain(`instead of ${first.activated[0]}`);
  });

  it("rejects, for good", async () => {
    const { cli, json } = await storeWith(100, 100);
    const { candidates } = await json<Proposed>("propose");
    const id = candidates[0]?.id ?? "";
    expect((await cli("reject", id, "--reason", "throttled")).stdout).toContain(
      "it was a candidate",
    );
    const { code, stderr } = await cli("activate", id, "--reason", "after all");
    expect(code).toBe(2);
    expect(stderr).toContain("is rejected, so it cannot be activated");
  });

  it("says when nothing can be learned, with exit code 3", async () => {
    const { cli } = await storeWith(100);
    const { code, stdout } = await cli("propose");
    expect(code).toBe(3);
    expect(stdout).toContain("0 healthy nodes before the last 24 hours");
  });

  it.each([["activate"], ["reject"]])("%s needs a reason", async (word) => {
    const { cli } = await storeWith(100);
    for (const reason of [[], ["--reason", " "]]) {
      const { code, stderr } = await cli(word, "bl-000000000000", ...reason);
      expect(code).toBe(2);
      expect(stderr).toContain("--reason");
    }
  });

  it("refuses days that are no number of days", async () => {
    const { cli } = await storeWith(100);
    for (const days of ["0", "x", "9999"])
      expect((await cli("propose", "--days", days)).code).toBe(2);
  });

  it("does not create a store to look into", async () => {
    const path = join(await tempDir(), "none", "t.db");
    const env = { TESSERA_STORE_URL: `sqlite:${path}` };
    for (const command of ["list", "propose"]) {
      const { code, stderr } = await runHere(["baseline", command], { env });
      expect(code).toBe(3);
      expect(stderr).toContain("E_STORE_MISSING");
    }
    await expect(stat(path)).rejects.toMatchObject({ code: "ENOENT" });
  });
});
