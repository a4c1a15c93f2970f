import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createRealClock } from "../../../src/platform/time/real-clock.ts";
import { lockAddress, withLock } from "../machine/lock.ts";

const clock = createRealClock();
const nameFor = (test: string) => `test ${process.pid} ${test}`;

describe("the lock around a build", () => {
  it("lets one in at a time and tells the other that it waits", async () => {
    const order: string[] = [];
    let waits = 0;
    const onWait = () => {
      waits += 1;
    };
    const enter = (who: string) =>
      withLock(nameFor("one"), { clock, onWait }, async () => {
        order.push(`${who} in`);
        await new Promise((resolve) => setImmediate(resolve));
        order.push(`${who} out`);
      });
    await Promise.all([enter("a"), enter("b")]);
    expect(order).toEqual(["a in", "a out", "b in", "b out"]);
    expect(waits).toBe(1);
  });

  it("is free again when its holder is killed", async () => {
    const name = nameFor("killed");
    const program = `require("net").createServer().listen(process.argv[1], () => console.log("in"))`;
    const address = JSON.stringify(lockAddress(name));
    const holder = spawn(process.execPath, ["-e", program.replace("process.argv[1]", address)]);
    await once(holder.stdout, "data");
    const onWait = () => holder.kill("SIGKILL");
    expect(await withLock(name, { clock, onWait }, async () => "in")).toBe("in");
    expect(holder.killed).toBe(true);
  });

  it("is given back when the work fails", async () => {
    const onWait = () => expect.unreachable();
    const options = { clock, onWait };
    const failing = withLock(nameFor("fails"), options, () => Promise.reject(new Error("no")));
    await expect(failing).rejects.toThrow("no");
    expect(await withLock(nameFor("fails"), options, async () => "in")).toBe("in");
  });

  it("is not waited for longer than allowed, and other names do not matter", async () => {
    const onWait = () => {};
    await withLock(nameFor("long"), { clock, onWait }, async () => {
      const second = withLock(nameFor("long"), { clock, onWait, timeoutMs: 0 }, async () => {});
      await expect(second).rejects.toThrow(/gave up waiting/);
      expect(await withLock(nameFor("other"), { clock, onWait }, async () => "in")).toBe("in");
    });
  });
});
