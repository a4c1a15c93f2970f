import type { Credentials } from "../credentials/credentials.ts";

/** How to check that the server is the right one. */
export interface KubeTls {
  /** The authorities that may have signed the server's certificate; absent: the system's. */
  readonly caPem?: string;
  /** Accepts any certificate. */
  readonly insecure: boolean;
  /** The name the certificate must carry; absent: the host of the server's address. */
  readonly serverName?: string;
}

/** Everything needed to talk to one cluster as one user, resolved and checked. */
export interface KubeConfig {
  /** What it was read from, for people: file names, or "service account". */
  readonly source: string;
  readonly context: string;
  /** The server's address; its path is a prefix of every request. */
  readonly server: URL;
  /** The namespace to work in when none is said. */
  readonly namespace: string;
  readonly tls: KubeTls;
  /** The proxy to go through; absent: none. May hold a password: never print it. */
  readonly proxy?: URL;
  /** Whether large answers may be compressed on the way. */
  readonly compression: boolean;
  readonly credentials: Credentials;
  /** Headers of every request: impersonation. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
}
