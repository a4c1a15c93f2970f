/** The secret a request carries and how it was sent. */
export interface Credential {
  /** Programs send `bearer`; a browser that was asked for a password sends `basic`. */
  readonly scheme: "bearer" | "basic";
  readonly secret: string;
}

// Longer than any token we make or accept; a longer header is not worth hashing.
const secretLengthMax = 512;

/**
 * The credential in an Authorization header; undefined when there is none or it cannot be read. Of
 * Basic credentials only the password counts, the user name may be anything.
 */
export function parseAuthorization(header: string | undefined): Credential | undefined {
  const match = /^(bearer|basic) +([\w\-.~+/]+=*)$/i.exec(header?.trim() ?? "");
  const [, scheme, value] = match ?? [];
  if (scheme === undefined || value === undefined) return undefined;
  if (scheme.toLowerCase() === "bearer") return credential("bearer", value);
  const decoded = Buffer.from(value, "base64").toString("utf8");
  const colon = decoded.indexOf(":");
  return colon === -1 ? undefined : credential("basic", decoded.slice(colon + 1));
}

function credential(scheme: Credential["scheme"], secret: string): Credential | undefined {
  return secret === "" || secret.length > secretLengthMax ? undefined : { scheme, secret };
}
