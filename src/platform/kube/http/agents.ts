import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { isIP, type Socket } from "node:net";
import { type ConnectionOptions, connect as tlsConnect } from "node:tls";
import type { Clock } from "../../time/clock.ts";
import { withDeadline } from "../../time/index.ts";
import type { KubeConfig } from "../config/kube-config.ts";
import type { Credential } from "../credentials/credentials.ts";
import { openTunnel } from "./tunnel.ts";

/** The connections of one client: a pool for requests, and single ones for watches. */
export interface Agents {
  readonly requests: HttpAgent;
  readonly streams: HttpAgent;
}

export interface AgentPoolOptions {
  readonly config: KubeConfig;
  readonly clock: Clock;
  readonly socketsMax: number;
}

/** Shorter than any server keeps an idle connection, so that we are the ones who hang up. */
const idleSocketMs = 30_000;
const tunnelTimeoutMs = 15_000;

/** Keeps connections open between requests, and opens new ones when the client certificate changes. */
export class AgentPool {
  readonly #options: AgentPoolOptions;
  #current: { readonly certPem: string | undefined; readonly agents: Agents } | undefined;

  constructor(options: AgentPoolOptions) {
    this.#options = options;
  }

  /** The connections that present this credential. */
  for(credential: Credential): Agents {
    if (this.#current === undefined || this.#current.certPem !== credential.certPem) {
      // Requests under way finish on the old connections, which then time out.
      this.closeIdle();
      this.#current = { certPem: credential.certPem, agents: this.#create(credential) };
    }
    return this.#current.agents;
  }

  /** Closes connections nobody uses: after a request timed out, its neighbours may be dead too. */
  closeIdle(): void {
    const idle = Object.values(this.#current?.agents.requests.freeSockets ?? {}).flat();
    for (const socket of idle) socket?.destroy();
  }

  close(): void {
    this.#current?.agents.requests.destroy();
    this.#current?.agents.streams.destroy();
    this.#current = undefined;
  }

  #create(credential: Credential): Agents {
    const { config, socketsMax } = this.#options;
    const pooled = { keepAlive: true, maxSockets: socketsMax, timeout: idleSocketMs };
    const single = { keepAlive: false };
    if (config.server.protocol === "http:") {
      return {
        requests: this.#tunnelled(new HttpAgent(pooled)),
        streams: this.#tunnelled(new HttpAgent(single)),
      };
    }
    const tls = tlsOptions(config, credential);
    return {
      requests: this.#tunnelled(new HttpsAgent({ ...pooled, ...tls }), tls),
      streams: this.#tunnelled(new HttpsAgent({ ...single, ...tls }), tls),
    };
  }

  /** Makes the agent go through the proxy, if there is one. */
  #tunnelled<Kind extends HttpAgent>(agent: Kind, tls?: ConnectionOptions): Kind {
    const { config, clock } = this.#options;
    const { proxy, server } = config;
    if (proxy === undefined) return agent;
    const host = server.hostname.replace(/^\[|\]$/g, "");
    const port = Number(server.port || (server.protocol === "https:" ? 443 : 80));
    const proxyTls = serverCheck(config);
    const sni = isIP(host) === 0 ? { servername: host } : {};
    const createConnection = (_: unknown, done: (error: Error | null, socket?: Socket) => void) => {
      const what = `The connection through the proxy ${proxy.host}`;
      withDeadline({ clock, timeoutMs: tunnelTimeoutMs, what }, (signal) =>
        openTunnel({ proxy, target: { host, port }, tls: proxyTls, signal }),
      )
        .then((socket) =>
          tls === undefined ? socket : tlsConnect({ host, ...sni, ...tls, socket }),
        )
        .then(
          (socket) => done(null, socket),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        );
    };
    return Object.assign(agent, { createConnection });
  }
}

function tlsOptions(config: KubeConfig, credential: Credential): ConnectionOptions {
  const { serverName } = config.tls;
  return {
    ...serverCheck(config),
    ALPNProtocols: ["http/1.1"],
    ...(serverName === undefined ? {} : { servername: serverName }),
    ...(credential.certPem === undefined ? {} : { cert: credential.certPem }),
    ...(credential.keyPem === undefined ? {} : { key: credential.keyPem }),
  };
}

function serverCheck({ tls }: KubeConfig): { rejectUnauthorized: boolean; ca?: string } {
  return {
    rejectUnauthorized: !tls.insecure,
    ...(tls.caPem === undefined ? {} : { ca: tls.caPem }),
  };
}
