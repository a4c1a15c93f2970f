import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import type { OverviewView } from "../../../../src/control/api/overview.ts";
import { startUp } from "../../../support/up.ts";
import { waitUntil } from "../../../support/wait-until.ts";
import { type OpenOptions, type OpenPage, openPage } from "./open-page.ts";

/** The built control plane with a small simulated fleet, and ways to look at it. */
export interface Dashboard extends AsyncDisposable {
  readonly url: string;
  /** The administrator's. */
  readonly token: string;
  open(path: string, options?: OpenOptions): Promise<OpenPage>;
  /** Asks the API itself, as the administrator. */
  call<T>(method: string, path: string, body?: object): Promise<T>;
  /** A new token of a role; it is called after the role unless a name is given. */
  makeToken(role: Role, name?: string): Promise<string>;
  /** Takes back the tokens of this name. */
  revoke(name: string): Promise<void>;
  /** Ends the server as Ctrl-C does. */
  stop(): Promise<void>;
  /** Starts it again at the same address with the same data. */
  restart(): Promise<void>;
  /**
   * Goes on with what has happened so far, in real time: a check lasts minutes then, so that what a test reads
   * first still holds when it reads the next.
   */
  calmDown(): Promise<void>;
}

interface TokenList {
  readonly tokens: readonly { readonly id: string; readonly name: string }[];
}

type Role = "read" | "operate" | "inject" | "admin";

export interface FleetOptions {
  readonly nodes?: number;
  readonly speed?: number;
  readonly seed?: string;
}

export interface DashboardOptions {
  /** Null: nothing is validated. */
  readonly fleet?: FleetOptions | null;
  /** Clusters beside the simulated one, as in a configuration. */
  readonly others?: readonly object[];
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export async function startDashboard(
  browser: Browser,
  options: DashboardOptions = {},
): Promise<Dashboard> {
  const folder = await mkdtemp(join(tmpdir(), "tessera-dashboard-"));
  const config = join(folder, "tessera.yaml");
  const writeConfig = (fleet: DashboardOptions["fleet"]) =>
    writeFile(config, JSON.stringify(configOf(fleet, options.others)));
  await writeConfig(options.fleet);
  const args = ["--config", config, ...(options.args ?? [])];
  const env = {
    TESSERA_VALIDATION_ENABLED: String(options.fleet !== null),
    TESSERA_DATA_DIR: join(folder, "data"),
    ...options.env,
  };
  let up = await startUp(args, env);
  const { port } = new URL(up.url);
  // What it listens on may be every address; a browser needs one of them.
  const url = `http://127.0.0.1:${port}`;
  const { token } = up;
  const call = createCaller(url, token);
  await untilToldAbout(call);
  const stop = async () => void (await up.stop());
  const restart = async () => {
    up = await startUp([...args, "--port", port], env);
    await untilToldAbout(call);
  };
  return {
    url,
    token,
    open: (path, pageOptions = {}) => openPage(browser, `${url}${path}`, pageOptions),
    call,
    makeToken: async (role, name = `desk-${role}`) =>
      (await call<{ readonly token: string }>("POST", "tokens", { name, role })).token,
    revoke: async (name) => {
      const { tokens } = await call<TokenList>("GET", "tokens");
      for (const token of tokens) {
        if (token.name === name) await call("DELETE", `tokens/${token.id}`);
      }
    },
    stop,
    restart,
    calmDown: async () => {
      await stop();
      await writeConfig({ ...options.fleet, speed: 1 });
      await restart();
    },
    [Symbol.asyncDispose]: async () => {
      await up.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** It answers before its clusters are opened, and then knows of no node. */
async function untilToldAbout(call: Dashboard["call"]): Promise<void> {
  await waitUntil("every cluster is told about", async () => {
    const { clusters } = await call<OverviewView>("GET", "overview");
    return clusters.every(({ state }) => state !== "opening");
  });
}

function configOf(
  fleet: DashboardOptions["fleet"],
  others: DashboardOptions["others"] = [],
): object {
  if (fleet === null) return {};
  const entry = { name: "fleet", kind: "simulated", nodes: 48, speed: 20_000, seed: "7", ...fleet };
  return { validation: { clusters: [entry, ...others] } };
}

function createCaller(url: string, token: string): Dashboard["call"] {
  return async (method, path, body) => {
    const response = await fetch(`${url}/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  };
}
