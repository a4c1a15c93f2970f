/** What a request presents: an Authorization header, a client certificate, both or neither. */
export interface Credential {
  readonly authorization?: string;
  readonly certPem?: string;
  readonly keyPem?: string;
}

/** Where credentials come from. Some change over time: files are rotated, plug-ins are asked again. */
export interface Credentials {
  /** In words, for people: "token", "client certificate", "plug-in aws". Never a secret. */
  readonly kind: string;
  /** What to present now. Throws E_KUBE_CREDENTIALS when it cannot be had. */
  get(): Promise<Credential>;
  /**
   * The server refused what was presented (401): forget what is cached. True when asking again
   * may give something else, and so when a second attempt makes sense.
   */
  refresh(): boolean;
}

/** Credentials that never change. */
export function fixedCredentials(kind: string, credential: Credential): Credentials {
  return { kind, get: () => Promise.resolve(credential), refresh: () => false };
}

/** For a server that asks for nothing, or a user entry that gives nothing. */
export const anonymousCredentials: Credentials = fixedCredentials("anonymous", {});

/** A user may have both a certificate and a token; everything given is presented. */
export function combineCredentials(all: readonly Credentials[]): Credentials {
  const [only] = all;
  if (only === undefined) return anonymousCredentials;
  if (all.length === 1) return only;
  return {
    kind: all.map((each) => each.kind).join(" and "),
    async get() {
      const parts = await Promise.all(all.map((each) => each.get()));
      return Object.assign({}, ...parts) as Credential;
    },
    // Every source is told, also after one said yes.
    refresh: () => all.map((each) => each.refresh()).includes(true),
  };
}
