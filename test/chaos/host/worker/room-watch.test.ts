import { describe, expect, it } from "vitest";
import { watchRoom } from "../../../../src/chaos/host/worker/room-watch.ts";
import { WorkerFaults } from "../../../../src/chaos/host/worker/worker-faults.ts";
import { type CheckpointFiles, createNodeFiles } from "../../../../src/runtime/checkpoint/index.ts";
import { clock } from "../support/host-program.ts";

function failing(code: string): CheckpointFiles {
  const fail = () => Promise.reject(Object.assign(new Error(code), { code }));
  const writer = { write: fail, sync: fail, close: async () => {} };
  return { ...createNodeFiles(), makeFolder: fail, rename: fail, create: async () => writer };
}

function watching(code: string, isOrdered = true) {
  const seen: string[] = [];
  const faults = new WorkerFaults({
    clock,
    seen: (injection, what) => seen.push(`${injection}: ${what}`),
  });
  if (isOrdered) faults.begin("full-1", { kind: "watch-room" });
  return { seen, files: watchRoom(failing(code), faults) };
}

describe("an eye on the room of a disk", () => {
  it.each(["write", "sync"] as const)(
    "tells of a %s that the kernel refused, once, and fails as it did",
    async (what) => {
      const { seen, files } = watching("ENOSPC");
      const writer = await files.create("/x");
      const attempt = () => (what === "write" ? writer.write(new Uint8Array(1), 0) : writer.sync());
      await expect(attempt()).rejects.toMatchObject({ code: "ENOSPC" });
      await expect(attempt()).rejects.toMatchObject({ code: "ENOSPC" });
      expect(seen).toEqual(["full-1: the kernel refused a write for want of room (ENOSPC)"]);
    },
  );

  it("tells of folders and names that found no room", async () => {
    const { seen, files } = watching("ENOSPC");
    await expect(files.makeFolder("/x")).rejects.toThrow();
    await expect(files.rename("/x", "/y")).rejects.toThrow();
    expect(seen).toHaveLength(1);
  });

  it("says nothing of other failures, and nothing when no disk was filled on purpose", async () => {
    const broken = watching("EIO");
    await expect((await broken.files.create("/x")).write(new Uint8Array(1), 0)).rejects.toThrow();
    const unordered = watching("ENOSPC", false);
    await expect(unordered.files.makeFolder("/x")).rejects.toThrow();
    expect([...broken.seen, ...unordered.seen]).toEqual([]);
  });
});
