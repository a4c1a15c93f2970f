import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { notesIn } from "../../../../src/hardware/agent/fault-notes.ts";
import { type AgentOptions, runAgent } from "../../../../src/hardware/agent/index.ts";
import { xidPort } from "../../../../src/hardware/agent/xid-port.ts";
import { createFaultBook } from "../../../../src/hardware/faults/index.ts";
import { parseKmsgRecord } from "../../../../src/hardware/kernel-log/kmsg-record.ts";
import type { ControlUndo } from "../../../../src/hardware/objects/index.ts";
import { random } from "../../../platform/kube/support/fake-cluster.ts";
import { tempDir } from "../../../support/temp-dir.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { type FakeHardware, fakeHardware, namespace, node } from "./fake-hardware.ts";
import { type FakeShim, fakeShim } from "./fake-shim.ts";

export interface AgentSetup {
  readonly cluster: FakeHardware;
  readonly shim: FakeShim;
  readonly folder: string;
  readonly kernelLog: string;
}

export interface RunningAgent {
  readonly healthUrl: string | undefined;
  readonly logged: readonly string[];
  /** What a reaper would call. */
  readonly disarm: (undo: ControlUndo) => Promise<void>;
  stop(): Promise<void>;
  /** Rejects when the agent ended by itself. */
  readonly done: Promise<void>;
}

/** A cluster with one node, and a place for an agent's files. */
export async function agentSetup(): Promise<AgentSetup> {
  const cluster = await fakeHardware();
  cluster.putNode();
  const folder = await tempDir();
  return { cluster, shim: fakeShim(), folder, kernelLog: join(folder, "kmsg") };
}

/** Starts an agent and waits until it is ready. Stopping it leaves everything as a crash would. */
export async function startAgent(
  { cluster, shim, folder, kernelLog }: AgentSetup,
  more: Partial<AgentOptions> = {},
): Promise<RunningAgent> {
  const { client, clock } = cluster;
  const controller = new AbortController();
  const logged: string[] = [];
  const write = (_: unknown, text?: string) => void logged.push(text ?? "");
  const book = createFaultBook({ client, namespace, clock, by: `agent/${node}` });
  let disarm: RunningAgent["disarm"] = async () => {};
  let healthUrl: string | undefined;
  let ready = false;
  const done = runAgent({
    node,
    namespace,
    client,
    clock,
    random,
    log: { info: write, warn: write, error: write },
    signal: controller.signal,
    controlFolder: folder,
    kernelLog,
    procFolder: join(folder, "proc"),
    ports: {
      notes: notesIn(book),
      xid: xidPort,
      shim: shim.port,
      reaper: (given) => {
        disarm = given;
        return { run: () => Promise.resolve() };
      },
    },
    onReady: (told) => {
      ready = true;
      healthUrl = told.healthUrl;
    },
    ...more,
  });
  const stop = async () => {
    controller.abort();
    await done;
  };
  let failure: unknown;
  done.catch((error: unknown) => {
    failure = error;
  });
  onTestFinished(() => {
    controller.abort();
    return done.catch(() => {});
  });
  await waitUntil("the agent is ready", () => ready || failure !== undefined);
  if (failure !== undefined) throw failure;
  return { healthUrl, logged, disarm: (undo) => disarm(undo), stop, done };
}

/** The texts of a kernel log that is a file. */
export async function linesOf(path: string): Promise<readonly string[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => parseKmsgRecord(line)?.text ?? []);
}
