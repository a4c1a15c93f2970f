import { messageOf, TesseraError } from "../../errors/index.ts";
import type { Clock } from "../../time/clock.ts";
import { readSmallFile } from "../config/data-or-file.ts";
import type { Credential, Credentials } from "./credentials.ts";

/** Projected service-account tokens are replaced well before they expire; a minute is soon enough. */
const tokenRereadMs = 60_000;

/** A bearer token in a file, read again every minute and after a refusal. */
export function tokenFileCredentials(options: {
  readonly path: string;
  readonly clock: Clock;
  readonly kind?: string;
}): Credentials {
  const { path, clock } = options;
  let cached: { readonly credential: Credential; readonly readAtMs: number } | undefined;
  return {
    kind: options.kind ?? "token file",
    async get() {
      if (cached !== undefined && clock.monotonicMs() - cached.readAtMs < tokenRereadMs) {
        return cached.credential;
      }
      const token = (await readCredentialFile(path)).trim();
      if (token === "") throw credentialsError(`the token file ${path} is empty`);
      cached = { credential: { authorization: `Bearer ${token}` }, readAtMs: clock.monotonicMs() };
      return cached.credential;
    },
    refresh() {
      cached = undefined;
      return true;
    },
  };
}

/** A client certificate and key; those that came from files are read again after a refusal. */
export function certificateCredentials(options: {
  readonly cert: { readonly pem: string; readonly path?: string };
  readonly key: { readonly pem: string; readonly path?: string };
}): Credentials {
  const { cert, key } = options;
  let cached: Credential | undefined = { certPem: cert.pem, keyPem: key.pem };
  return {
    kind: "client certificate",
    async get() {
      cached ??= {
        certPem: cert.path === undefined ? cert.pem : await readCredentialFile(cert.path),
        keyPem: key.path === undefined ? key.pem : await readCredentialFile(key.path),
      };
      return cached;
    },
    refresh() {
      if (cert.path === undefined && key.path === undefined) return false;
      cached = undefined;
      return true;
    },
  };
}

/** An E_KUBE_CREDENTIALS; `problem` must not quote a secret. */
export function credentialsError(problem: string, options: { hint?: string } = {}): TesseraError {
  return new TesseraError("E_KUBE_CREDENTIALS", { problem }, options);
}

async function readCredentialFile(path: string): Promise<string> {
  try {
    return await readSmallFile(path);
  } catch (error) {
    throw credentialsError(`cannot read ${path}: ${messageOf(error)}`);
  }
}
