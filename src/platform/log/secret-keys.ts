// How the names of secrets end, in words: `api key` stands for apiKey, API_KEY, api-key, ....
const secretEndings = [
  "tokens?",
  "passwords?",
  "passwd",
  "passphrase",
  "pwd",
  "secrets?",
  "api key",
  "access key",
  "secret key",
  "private key",
  "client key data",
  "client certificate data",
  "authorization",
  "credentials?",
  "cookie",
  "connection string",
];

/** Matches the end of a secret's name; part of a larger expression that ignores case. */
export const secretNamePattern = `(?:${secretEndings.join("|").replaceAll(" ", "[ _.-]?")})`;

const wholeName = new RegExp(`${secretNamePattern}$`, "i");

/**
 * Whether what stands under this name is a secret, by how the name ends: `accessToken` and
 * `DB_PASSWORD` are, `tokenFile` and `secretName` only say where one is.
 */
export function isSecretKey(name: string): boolean {
  return wholeName.test(name);
}
