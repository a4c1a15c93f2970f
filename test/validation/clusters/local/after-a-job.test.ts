import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { GpuView } from "../../../../src/validation/checks/index.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { localCluster, requestOf, untilPhase } from "./support.ts";

/** A driver that answers when it is told to, with who is on the GPU then. */
class Driver {
  processes: GpuView["processes"] = [];
  asked = 0;
  readonly #waiting: (() => void)[] = [];

  readonly find = (): Promise<GpuView> => {
    this.asked++;
    return new Promise((resolve) => {
      const answer = () => resolve({ models: ["NVIDIA H200"], processes: this.processes });
      this.#waiting.push(answer);
    });
  };

  answer(): void {
    for (const one of this.#waiting.splice(0)) one();
  }
}

const ofTheJob = { pid: 1053, name: "node" };
const ofAnother = { pid: 17, name: "python3" };

/** A machine whose GPU was seen while a job of ours computed on it, right after that job ended. */
async function jobEnded() {
  const driver = new Driver();
  const end = join(await tempDir(), "end");
  const source = `import { existsSync } from "node:fs";
setInterval(() => existsSync(${JSON.stringify(end)}) && process.exit(0), 5);`;
  const { cluster } = await localCluster(source, { findGpus: driver.find, lookEveryMs: 3_600_000 });
  const codes = () => cluster.view().nodes[0]?.notFree.map(({ code }) => code);
  await cluster.submit(requestOf());
  cluster.start();
  driver.processes = [ofTheJob];
  driver.answer();
  await waitUntil("the machine was seen", () => cluster.view().trust.state === "current");
  expect(codes()).toEqual(["under-test"]);
  // Never busy in between, either: the loop listens.
  const seen = new Set<string>();
  cluster.subscribe(() => (codes() ?? []).forEach((code) => void seen.add(code)));
  await writeFile(end, "");
  await untilPhase(cluster, "succeeded");
  return { cluster, driver, codes, seen };
}

describe("a machine after a job of ours", () => {
  test("is held until its GPUs were looked at again, at once, and is free then", async () => {
    const { driver, codes, seen } = await jobEnded();
    expect(codes()).toEqual(["under-test"]);
    expect(driver.asked).toBe(2);
    driver.processes = [];
    driver.answer();
    await waitUntil("it is free", () => codes()?.length === 0);
    expect([...seen]).toEqual(["under-test"]);
  });

  test("is busy when somebody computes on it then", async () => {
    const { cluster, driver, codes } = await jobEnded();
    driver.processes = [ofAnother];
    driver.answer();
    await waitUntil("it is busy", () => codes()?.[0] === "busy");
    expect(cluster.view().nodes[0]?.notFree[0]?.text).toContain("process 17 (python3)");
  });

  test("is asked about once more when the look that was under way began before the end", async () => {
    const { cluster, driver, codes } = await jobEnded();
    driver.processes = [];
    driver.answer();
    await waitUntil("it is free", () => codes()?.length === 0);
    // Two jobs end while one answer is awaited: it counts for the first only.
    const [first, second] = ["1", "2"].map((id) => requestOf({}, id.repeat(20)));
    for (const request of [first, second]) {
      if (request === undefined) continue;
      await cluster.submit(request);
      await waitUntil("it ended", () =>
        cluster
          .view()
          .jobs.some(({ name, phase }) => name === request.intent.jobName && phase === "succeeded"),
      );
    }
    expect(driver.asked).toBe(3);
    driver.processes = [ofTheJob];
    driver.answer();
    await waitUntil("it is asked again", () => driver.asked === 4);
    expect(codes()).toEqual(["under-test"]);
    driver.processes = [];
    driver.answer();
    await waitUntil("it is free again", () => codes()?.length === 0);
  });
});
