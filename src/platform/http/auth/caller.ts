import type { Role } from "./roles.ts";

/** Who makes a request. */
export interface Caller {
  /** The token's name; `anonymous` for reads without a token on the loopback address. */
  readonly name: string;
  readonly role: Role;
  /** Absent for anonymous callers and for a token that comes from the configuration. */
  readonly tokenId?: string;
}

export const anonymous: Caller = { name: "anonymous", role: "read" };

/** Finds out who holds a secret. */
export interface Authenticator {
  /** The caller, or words that say why the secret is not accepted. */
  identify(secret: string): Promise<Caller | TokenProblem>;
  /**
   * The holder of a good secret that costs little to look up; undefined for all others. Asked before anybody is
   * limited, so that strangers at the same address keep nobody out. @default none
   */
  identifyCheaply?(secret: string): Promise<Caller | undefined>;
}

/** Why a secret is not accepted, as the end of "the token is ...". */
export type TokenProblem = "unknown" | "expired" | "revoked" | "of somebody without rights here";
