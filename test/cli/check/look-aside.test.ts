import { describe, expect, test } from "vitest";
import { lookAside } from "../../../src/cli/check/gate/look-aside.ts";
import { createRealClock } from "../../../src/platform/time/index.ts";

const clock = createRealClock();
const order = { folders: [], gpus: true, xids: true };

/** Looks with a process that says these lines and then does something else. */
function look(lines: readonly object[], then: string, timeoutMs = 60_000) {
  const script = `${lines.map((line) => `echo '${JSON.stringify(line)}'`).join("\n")}\n${then}`;
  const { signal } = new AbortController();
  const command = ["/bin/sh", "-c", script, "look"];
  return lookAside(order, { command, env: {}, timeoutMs, clock, signal });
}

const memory = { saw: "memory", availableBytes: 1 };

describe("a look at a machine", () => {
  test("is whole when the process comes to its end", async () => {
    expect(await look([{ asks: "memory" }, memory], "exit 0")).toEqual({
      sightings: [memory],
      unanswered: [],
    });
  });

  test("names what hangs, keeps what was seen before, and does not hang", async () => {
    const lines = [{ asks: "memory" }, memory, { asks: "driver" }];
    const { sightings, unanswered } = await look(lines, "exec sleep 1000", 1_000);
    expect(sightings).toEqual([memory]);
    expect(unanswered).toMatchObject([
      { name: "driver", status: "unknown", words: "driver: no answer within 1 s" },
    ]);
  });

  test("names what brought the process down", async () => {
    const { unanswered } = await look([{ asks: "gpu 3" }], "echo broken >&2; exit 134");
    expect(unanswered).toMatchObject([{ name: "gpu 3", status: "unknown" }]);
    expect(unanswered[0]?.words).toContain("broken");
  });

  test("takes no line that it does not know for a sighting", async () => {
    const { sightings } = await look(
      [{ saw: "ghost" }, { ...memory, more: 1 }],
      "echo '{'; exit 0",
    );
    expect(sightings).toEqual([]);
  });
});
