import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { request } from "node:http";
import { createServer } from "node:net";
import { join } from "node:path";
import {
  fromCli,
  fromResponse,
  type Provocation,
  type ProvocationContext,
  type Provoked,
} from "../provocation.ts";

const tokensPath = "/api/v1/tokens";
const longToken = "0123456789abcdef0123456789abcdef";

/** Makes one request with the administrator's token to a fresh control plane. */
function afterUp(
  path: string,
  init: (token: string) => RequestInit = () => ({}),
): Provocation["provoke"] {
  return async ({ startUp }) => {
    const { url, token } = await startUp();
    return await fromResponse(await fetch(url + path, init(token)));
  };
}

function json(token: string, body: unknown): RequestInit {
  return {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  };
}

/** A request with headers that fetch does not let a program set. */
function rawGet(url: string, headers: Record<string, string>): Promise<Provoked> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/healthz`, { headers, agent: false }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", () => resolve({ httpStatus: response.statusCode ?? 0, text }));
    });
    call.on("error", reject).end();
  });
}

async function takeEveryStream({ startUp }: ProvocationContext): Promise<Provoked> {
  const { url } = await startUp();
  const leave = new AbortController();
  const open = () => fetch(`${url}/api/v1/events`, { signal: leave.signal });
  const atOnce = 64;
  try {
    for (let streams = 0; streams < 2000; streams += atOnce) {
      const responses = await Promise.all(Array.from({ length: atOnce }, open));
      const refused = responses.find(({ ok }) => !ok);
      if (refused !== undefined) return await fromResponse(refused);
    }
    return { text: "the streams never ran out" };
  } finally {
    leave.abort();
  }
}

async function useTakenPort({ cli, tempDir }: ProvocationContext): Promise<Provoked> {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  try {
    const address = other.address();
    const port = typeof address === "object" ? String(address?.port) : "";
    return fromCli(await cli(["up", "--quiet", "--port", port, "--data-dir", tempDir]));
  } finally {
    other.close();
  }
}

/** Each of another window, so that none is shared. */
async function askForManyReports({ startUp }: ProvocationContext): Promise<Provoked> {
  const { url } = await startUp();
  const ask = (_: unknown, hours: number) => fetch(`${url}/api/v1/reports?since=${hours + 1}h`);
  for (let round = 0; round < 20; round++) {
    const responses = await Promise.all(Array.from({ length: 40 }, ask));
    const refused = responses.find(({ ok }) => !ok);
    if (refused !== undefined) return await fromResponse(refused);
  }
  return { text: "every report was made" };
}

export const provocations: readonly Provocation[] = [
  {
    code: "E_REQUEST_INVALID",
    how: "a body that is not JSON",
    provoke: afterUp(tokensPath, (token) => json(token, '{"name":')),
  },
  {
    code: "E_REQUEST_INVALID",
    how: "a body with a wrong value",
    provoke: afterUp(tokensPath, (token) => json(token, { name: "ci", role: "root" })),
  },
  {
    code: "E_REQUEST_INVALID",
    how: "a page size that is no number",
    provoke: afterUp("/api/v1/audit?limit=many"),
  },
  {
    code: "E_BODY_TYPE",
    how: "a form instead of JSON",
    provoke: afterUp(tokensPath, (token) => ({
      method: "POST",
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ name: "ci" }),
    })),
  },
  {
    code: "E_BODY_TOO_LARGE",
    how: "a body over the limit",
    provoke: afterUp(tokensPath, (token) => json(token, { name: "x".repeat(2 ** 20 + 1) })),
  },
  {
    code: "E_TIMEOUT",
    how: "a doctor run that may take no more than a millisecond",
    provoke: async ({ startUp }) => {
      const { url, token } = await startUp([], { TESSERA_SERVER_REQUEST_TIMEOUT: "1ms" });
      const init = { method: "POST", headers: { authorization: `Bearer ${token}` } };
      return await fromResponse(await fetch(`${url}/api/v1/doctor/runs`, init));
    },
  },
  {
    code: "E_ROUTE_UNKNOWN",
    how: "a path with a typing error",
    provoke: afterUp("/api/v1/statsu"),
  },
  {
    code: "E_METHOD_NOT_ALLOWED",
    how: "DELETE on something that cannot be deleted",
    provoke: afterUp("/api/v1/status", () => ({ method: "DELETE" })),
  },
  {
    code: "E_HOST_REFUSED",
    how: "a name that somebody else made point here",
    provoke: async ({ startUp }) =>
      await rawGet((await startUp()).url, { host: "rebound.example" }),
  },
  {
    code: "E_ORIGIN_REFUSED",
    how: "a change that a page of another site makes",
    provoke: afterUp("/api/v1/doctor/runs", (token) => ({
      method: "POST",
      headers: { authorization: `Bearer ${token}`, origin: "https://other.example" },
    })),
  },
  {
    code: "E_TOKEN_REQUIRED",
    how: "a change without a token",
    provoke: afterUp("/api/v1/doctor/runs", () => ({ method: "POST" })),
  },
  {
    code: "E_TOKEN_REFUSED",
    how: "a token that nobody made",
    provoke: afterUp(tokensPath, () => ({ headers: { authorization: `Bearer ${longToken}` } })),
  },
  {
    code: "E_ROLE_INSUFFICIENT",
    how: "a reader's token for a change",
    provoke: async ({ startUp }) => {
      const { url, token } = await startUp();
      const made = await fetch(url + tokensPath, json(token, { name: "reader", role: "read" }));
      const reader = ((await made.json()) as { token: string }).token;
      const headers = { authorization: `Bearer ${reader}` };
      return await fromResponse(
        await fetch(`${url}/api/v1/doctor/runs`, { method: "POST", headers }),
      );
    },
  },
  {
    code: "E_RATE_LIMITED",
    how: "somebody who guesses tokens faster than a person could",
    provoke: async ({ startUp }) => {
      const env = { TESSERA_SERVER_RATE_LIMIT_FAILED_TOKENS: "0.01" };
      const { url } = await startUp([], env);
      const headers = { authorization: `Bearer ${longToken}` };
      await fetch(url + tokensPath, { headers });
      return await fromResponse(await fetch(url + tokensPath, { headers }));
    },
  },
  {
    code: "E_NOT_FOUND",
    how: "revoking a token that does not exist",
    provoke: afterUp(`${tokensPath}/nobody`, (token) => ({
      method: "DELETE",
      headers: { authorization: `Bearer ${token}` },
    })),
  },
  {
    code: "E_BUSY",
    how: "many reports at once",
    provoke: askForManyReports,
  },
  {
    code: "E_EVENT_STREAMS_FULL",
    how: "more event streams than there are",
    provoke: takeEveryStream,
  },
  {
    code: "E_PORT_IN_USE",
    how: "a port that another program has",
    provoke: useTakenPort,
  },
  {
    code: "E_LISTEN_FAILED",
    how: "an address that this machine does not have",
    provoke: async ({ cli, tempDir }) => {
      const args = ["up", "--quiet", "--host", "203.0.113.7", "--port", "0", "--data-dir", tempDir];
      return fromCli(await cli(args, { env: { TESSERA_TOKEN: longToken } }));
    },
  },
  {
    code: "E_TOKEN_NOT_CONFIGURED",
    how: "an address others can reach, without a token",
    provoke: async ({ cli, tempDir }) => {
      const args = ["up", "--quiet", "--host", "0.0.0.0", "--port", "0", "--data-dir", tempDir];
      return fromCli(await cli(args));
    },
  },
  {
    code: "E_TOKEN_SOURCE",
    how: "a token file with a word in it",
    provoke: async ({ cli, tempDir }) => {
      const tokenFile = join(tempDir, "token");
      await writeFile(tokenFile, "secret\n");
      const args = ["up", "--quiet", "--port", "0", "--data-dir", tempDir];
      return fromCli(await cli(args, { env: { TESSERA_SERVER_TOKEN_FILE: tokenFile } }));
    },
  },
  {
    code: "E_DATA_DIR_IN_USE",
    how: "a second `tessera up` in the same data folder",
    provoke: async ({ cli, startUp }) => {
      const { dataDir } = await startUp();
      return fromCli(await cli(["up", "--quiet", "--port", "0", "--data-dir", dataDir]));
    },
  },
];
