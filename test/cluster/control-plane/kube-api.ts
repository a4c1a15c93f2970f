import { readFileSync } from "node:fs";
import { Agent } from "node:https";
import { ClusterError } from "../errors.ts";
import { http } from "../machine/http.ts";
import type { Identity } from "./certificates.ts";

/** A Kubernetes object as far as this tool looks at it. */
export interface KubeObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: {
    readonly name?: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec?: unknown;
  readonly webhooks?: unknown;
  readonly status?: unknown;
  readonly items?: readonly KubeObject[];
}

/** The few calls that setting up a cluster takes; the product has a client of its own. */
export class KubeApi {
  readonly #server: string;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });
  readonly #tls: { readonly ca: string; readonly cert: string; readonly key: string };

  constructor(server: string, caPem: string, identity: Identity) {
    this.#server = server;
    this.#tls = {
      ca: caPem,
      cert: readFileSync(identity.certificateFile, "utf8"),
      key: readFileSync(identity.keyFile, "utf8"),
    };
  }

  /** True when the API server says of itself that it is ready. */
  async isReady(): Promise<boolean> {
    const answer = await http(`${this.#server}/readyz`, { tls: this.#tls, timeoutMs: 2000 });
    return answer.status === 200;
  }

  /** The object at a path, or undefined when there is none. */
  async get(path: string): Promise<KubeObject | undefined> {
    const answer = await this.#call("GET", path);
    return answer.status === 404 ? undefined : parse(path, answer);
  }

  /** Creates an object; one that is there already is fine. */
  async create(path: string, object: KubeObject): Promise<void> {
    await this.createYaml(path, JSON.stringify(object));
  }

  /** The same from YAML text, which the API server reads too. */
  async createYaml(path: string, text: string): Promise<void> {
    const answer = await this.#call("POST", path, text, "application/yaml");
    if (answer.status !== 409) parse(path, answer);
  }

  /** Applies a JSON patch. */
  async patch(path: string, operations: readonly unknown[]): Promise<void> {
    const body = JSON.stringify(operations);
    parse(path, await this.#call("PATCH", path, body, "application/json-patch+json"));
  }

  #call(method: string, path: string, body?: string, contentType?: string) {
    return http(`${this.#server}${path}`, {
      method,
      agent: this.#agent,
      tls: this.#tls,
      ...(body === undefined ? {} : { body }),
      headers: {
        accept: "application/json",
        ...(contentType === undefined ? {} : { "content-type": contentType }),
      },
    });
  }
}

function parse(path: string, answer: { status: number; body: string }): KubeObject {
  if (answer.status >= 300) {
    throw new ClusterError(`${path} answered ${answer.status}: ${answer.body.slice(0, 300)}`);
  }
  return JSON.parse(answer.body) as KubeObject;
}
