import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { ControlPlaneOptions } from "../../src/control/options.ts";
import { type ControlPlane, startControlPlane } from "../../src/control/start-control-plane.ts";
import type { Finding, Probe } from "../../src/platform/doctor/finding.ts";
import { createLogger } from "../../src/platform/log/index.ts";
import type { Clock } from "../../src/platform/time/clock.ts";
import { createRealClock } from "../../src/platform/time/real-clock.ts";
import { type Answer, send } from "../platform/http/support.ts";
import { tempDir } from "../support/temp-dir.ts";

/** A machine whose abilities a test decides; change `findings` between runs. */
export class FakeMachine {
  readonly findings: Record<string, Finding> = {
    store: {
      state: "works",
      reason: "SQLite opens.",
      evidence: { diskSync: { medianMs: 0.4, worstMs: 2.5 }, bytes: 12n, password: "hunter2" },
    },
    kubernetes: {
      state: "missing",
      reason: "No kubeconfig was found.",
      hint: "Set KUBECONFIG to <the file> of your cluster.",
    },
    fio: { state: "limited", reason: "fio 3.1 is older than 3.30.", hint: "Install a newer fio." },
    "kernel-log": { state: "unknown", reason: "/dev/kmsg cannot be read by this user." },
  };
  visits = 0;
  /** Waited for before each visit ends. */
  hold: Promise<unknown> = Promise.resolve();

  readonly probes: readonly Probe[] = Object.keys(this.findings).map((id) => ({
    id,
    title: `The ${id}`,
    required: id === "store",
    neededFor: `whatever needs ${id}`,
    find: async ({ signal }) => {
      if (id === "store") this.visits++;
      const { state, ...found } = this.findings[id] ?? { state: "missing", reason: "Gone." };
      await Promise.race([this.hold, once(signal, "abort")]);
      return { state, ...found };
    },
  }));
}

/** Real time that can be moved ahead. */
export class ShiftedClock implements Clock {
  aheadMs = 0;
  readonly #real = createRealClock();
  nowMs = () => this.#real.nowMs() + this.aheadMs;
  monotonicMs = () => this.#real.monotonicMs();
  setTimer: Clock["setTimer"] = (delayMs, callback) => this.#real.setTimer(delayMs, callback);
}

export interface TestPlane extends AsyncDisposable {
  readonly plane: ControlPlane;
  readonly machine: FakeMachine;
  readonly clock: ShiftedClock;
  readonly dataDir: string;
  readonly token: string;
  readonly logged: () => string;
  call(method: string, path: string, options?: Parameters<typeof send>[3]): Promise<Answer>;
  /** A token of this role, made through the API. */
  tokenOf(role: string, options?: object): Promise<string>;
}

export interface TestPlaneOptions extends Partial<ControlPlaneOptions> {
  readonly dataDir?: string;
  readonly host?: string;
  /** @default 0, a free one */
  readonly port?: number;
  readonly tokenFile?: string;
  /** @default a SQLite store in the data directory */
  readonly storeUrl?: string;
  /** Settings of the server besides these. */
  readonly server?: Partial<ControlPlaneOptions["config"]["server"]>;
  readonly machine?: FakeMachine;
  readonly notifications?: NonNullable<ControlPlaneOptions["config"]["notifications"]>;
  /** Settings of other services. */
  readonly settings?: Pick<
    ControlPlaneOptions["config"],
    "experiments" | "hardware" | "kubernetes"
  >;
}

/** Options of a control plane with a store of its own on a free port. */
export function planeOptions(
  dataDir: string,
  options: TestPlaneOptions & { readonly logLines?: string[] } = {},
): ControlPlaneOptions & { readonly clock: ShiftedClock } {
  const clock = new ShiftedClock();
  const lines = options.logLines ?? [];
  const { tokenFile } = options;
  return {
    env: {},
    command: [process.execPath],
    probes: (options.machine ?? new FakeMachine()).probes,
    log: createLogger({
      level: "debug",
      format: "json",
      stream: { write: (text) => lines.push(text) },
      clock,
    }),
    ...options,
    config: {
      dataDir,
      server: {
        host: options.host ?? "127.0.0.1",
        port: options.port ?? 0,
        bodyLimitBytes: 64 * 1024,
        requestTimeoutMs: 60_000,
        rateLimit: { reads: 10_000, changes: 1000, failedTokens: 1000, burstMs: 10_000 },
        trustedProxies: [],
        clusterTokens: { enabled: false, audiences: [] },
        ...(tokenFile === undefined ? {} : { tokenFile }),
        ...options.server,
      },
      store: { url: options.storeUrl ?? `sqlite:${join(dataDir, "tessera.db")}` },
      ...(options.notifications === undefined ? {} : { notifications: options.notifications }),
      ...options.settings,
    },
    clock,
  };
}

/** A control plane with a fake machine, on a real port, with a real store. */
export async function startPlane(options: TestPlaneOptions = {}): Promise<TestPlane> {
  const dataDir = options.dataDir ?? join(await tempDir(), "data");
  const machine = options.machine ?? new FakeMachine();
  const logLines: string[] = [];
  const all = planeOptions(dataDir, { ...options, machine, logLines });
  const plane = await startControlPlane(all);
  const token = (await readFile(join(dataDir, "admin-token"), "utf8").catch(() => "")).trim();
  const call: TestPlane["call"] = (method, path, callOptions) =>
    send(plane, method, path, callOptions);
  return {
    plane,
    machine,
    clock: all.clock,
    dataDir,
    token,
    logged: () => logLines.join(""),
    call,
    tokenOf: async (role, more = {}) => {
      const json = { name: `a ${role}`, role, ...more };
      const answer = await call("POST", "/api/v1/tokens", { token, json });
      return String(answer.json["token"]);
    },
    [Symbol.asyncDispose]: () => plane.stop({ deadlineMs: 0 }),
  };
}
