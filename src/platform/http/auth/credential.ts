/** The secret a request carries and how it was sent. */
export interface Credential {
  /** Programs send `bearer`; a browser that was asked for a password sends `basic`. */
  readonly scheme: "bearer" | "basic";
  readonly secret: string;
}

// Longer than any token we make; a longer header is not worth hashing.
const secretCharsDefault = 512;

/**
 * The credential in an Authorization header; undefined when there is none or it cannot be read. Of
 * Basic credentials only the password counts, the user name may be anything.
 */
export function parseAuthorization(
  header: string | undefined,
  secretCharsMax: number = secretCharsDefault,
): Credential | undefined {
  const match = /^(bearer|basic) +([\w\-.~+/]+=*)$/i.exec(header?.trim() ?? "");
  const [, scheme, value] = match ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  const bounded = (of: Credential) =>
    of.secret === "" || of.secret.length > secretCharsMax ? undefined : of;
  if (scheme.toLowerCase() === "bearer") return bounded({ scheme: "bearer", secret: value });
  const decoded = Buffer.from(value, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon === -1 ? undefined : bounded({ scheme: "basic", secret: decoded.slice(colon + 1) });
}
