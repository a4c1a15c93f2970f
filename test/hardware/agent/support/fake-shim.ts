import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { AgentPorts } from "../../../../src/hardware/agent/index.ts";

type ShimPort = AgentPorts["shim"];

export interface FakeBlock {
  armed: boolean;
  expiresAtMs: number;
  xid?: number;
  code?: number;
  /** Counts how often it was armed. */
  armings: number;
}

/** Control blocks in memory; only their folders are on the disk. */
export function fakeShim() {
  const blocks = new Map<string, FakeBlock>();
  const calls: string[] = [];
  const state = { library: true, armFails: false };
  const named = (path: string) => path.split("/").at(-2) ?? "";
  const port: ShimPort = {
    layShim: async () => {
      if (!state.library) throw new Error("there is no library of the shim");
      calls.push("lay");
    },
    controlPath: (folder, scope) => join(folder, "scopes", scope, "control"),
    ensureControl: async (path) => {
      await mkdir(dirname(path), { recursive: true });
      calls.push(`ensure ${named(path)}`);
      const block = { armed: false, expiresAtMs: 0, armings: 0 };
      blocks.set(named(path), blocks.get(named(path)) ?? block);
    },
    armControl: async (path, { fault, codes, expiresAtMs }) => {
      if (state.armFails) throw new Error("the block cannot be written");
      const { armings = 0 } = blocks.get(named(path)) ?? {};
      calls.push(`arm ${named(path)}`);
      const { xid } = fault;
      const block = { armed: true, expiresAtMs, xid, code: codes.inFlight, armings: armings + 1 };
      blocks.set(named(path), block);
    },
    renewControl: async (path, { expiresAtMs }) => {
      const block = blocks.get(named(path));
      if (block?.armed !== true) throw new Error("it is not armed");
      calls.push(`renew ${named(path)}`);
      block.expiresAtMs = expiresAtMs;
    },
    disarmControl: async (path) => {
      const block = blocks.get(named(path));
      if (block === undefined) return;
      calls.push(`disarm ${named(path)}`);
      block.armed = false;
    },
    readControl: async (path) => blocks.get(named(path)),
  };
  return { port, blocks, calls, state };
}

export type FakeShim = ReturnType<typeof fakeShim>;
