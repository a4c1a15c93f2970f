import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openStore, type Store } from "../../../src/platform/store/index.ts";
import {
  collectFiles,
  createResultRoute,
  encodeResult,
  ensureRunSecret,
  handIn,
  resultLimits,
  resultPath,
  runPaths,
  runToken,
  startResultServer,
} from "../../../src/validation/collect/index.ts";
import type { RunIntent } from "../../../src/validation/run.ts";
import { tempDir } from "../../support/temp-dir.ts";
import { clock, historyWith, intentOf, resultFor, silent } from "./support.ts";

let folder = "";
let store: Store;
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "tessera-test-"));
  store = await openStore({ url: `sqlite:${join(folder, "store.db")}`, clock });
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true });
});

/** A server that takes results of one open run. */
async function listening() {
  count++;
  const cluster = `lab-${count}`;
  const intent = intentOf({ id: `run-${count}`, cluster });
  const history = await historyWith(intent, store);
  const secret = await ensureRunSecret(store);
  const heard: RunIntent[] = [];
  const route = createResultRoute({
    history,
    secret,
    clock,
    onResult: (about) => void heard.push(about),
  });
  const server = await startResultServer({ host: "127.0.0.1", port: 0, route, clock, log: silent });
  onTestFinished(async () => void (await server.stop({ deadlineMs: 0 })));
  const token = runToken(secret, intent.id);
  const post = (body: string, options: { runId?: string; token?: string } = {}) =>
    fetch(`${server.url}${resultPath(options.runId ?? intent.id)}`, {
      method: "POST",
      headers: { authorization: `Bearer ${options.token ?? token}` },
      body,
    });
  const document = encodeResult(resultFor(intent), { subject: intent, token });
  return { intent, cluster, history, secret, token, server, post, document, heard };
}

async function codeOf(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as { readonly code: string };
  return [response.status, code];
}

describe("handing in by POST", () => {
  test("is recorded once, and heard once", async () => {
    const { intent, cluster, history, post, document, heard } = await listening();
    const first = await post(document);
    expect([first.status, await first.json()]).toEqual([
      201,
      { runId: intent.id, status: "recorded" },
    ]);
    const second = await post(document);
    expect([second.status, await second.json()]).toEqual([
      200,
      { runId: intent.id, status: "already" },
    ]);
    expect(heard).toEqual([intent]);
    const [run] = await history.runs({ cluster });
    expect(run?.result).toMatchObject({ ...resultFor(intent), origin: "pod" });
    expect(await history.openRuns(cluster)).toEqual([]);
  });

  test("counts once together with the file", async () => {
    const { intent, cluster, history, secret, token, server, document, heard } = await listening();
    const root = await tempDir();
    const receipt = await handIn({
      document,
      token,
      resultUrl: `${server.url}${resultPath(intent.id)}`,
      paths: runPaths(root, intent),
      clock,
      rng: { float: () => 0 },
      deadlineMs: 30_000,
    });
    expect(receipt).toEqual({
      post: { accepted: true, detail: "recorded" },
      file: { accepted: true, detail: "written" },
    });
    const { results } = await collectFiles({ root, runs: [intent], secret, clock });
    const [found] = results;
    if (found === undefined) throw new Error("the file is there");
    const from = { origin: "pod", way: "file", atMs: clock.nowMs(), digest: found.digest } as const;
    expect(await history.recordResult(found.result, from)).toBe("already");
    expect(heard).toHaveLength(1);
    expect(await history.runs({ cluster })).toHaveLength(1);
  });

  test("without the run's own token says the same whether or not there is such a run", async () => {
    const { intent, cluster, history, secret, server, post, document } = await listening();
    const answers = await Promise.all([
      post(document, { token: runToken(secret, "another") }),
      post(document, { token: "guess" }),
      post(document, { runId: "no-such-run", token: "guess" }),
      fetch(`${server.url}${resultPath(intent.id)}`, { method: "POST", body: document }),
    ]);
    const texts = await Promise.all(
      answers.map(async (answer) => {
        expect(answer.headers.get("www-authenticate")).toBe("Bearer");
        const { code, detail, hint } = (await answer.json()) as Record<string, string>;
        return JSON.stringify([answer.status, code, detail, hint]);
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain("E_RUN_TOKEN_REFUSED");
    expect(await history.openRuns(cluster)).toHaveLength(1);
  });

  test("with the right token for a run that is not on record is a 404", async () => {
    const { secret, post } = await listening();
    const gone = intentOf({ id: "gone" });
    const token = runToken(secret, gone.id);
    const document = encodeResult(resultFor(gone), { subject: gone, token });
    const answer = await post(document, { runId: gone.id, token });
    expect(await codeOf(answer)).toEqual([404, "E_NOT_FOUND"]);
  });

  test("of what is no result is refused, and the run stays open for a better one", async () => {
    const { cluster, history, token, post, document } = await listening();
    const other = intentOf({ node: "node-8" });
    const foreign = encodeResult(resultFor(other), { subject: other, token });
    for (const body of ["", "{", "[]", document.slice(0, -10), foreign]) {
      expect(await codeOf(await post(body))).toEqual([422, "E_RESULT_INVALID"]);
    }
    expect(await history.openRuns(cluster)).toHaveLength(1);
    expect((await post(document)).status).toBe(201);
  });

  test("of too much is refused", async () => {
    const { cluster, history, post } = await listening();
    const answer = await post(" ".repeat(resultLimits.sizeBytes + 1));
    expect(await codeOf(answer)).toEqual([413, "E_BODY_TOO_LARGE"]);
    expect(await history.openRuns(cluster)).toHaveLength(1);
  });

  test("after the loop concluded from silence still counts", async () => {
    const { intent, cluster, history, post, document } = await listening();
    const silence = resultFor(intent, { outcome: "error", error: "nothing came", figures: {} });
    await history.recordResult(silence, { origin: "loop", atMs: clock.nowMs() });
    expect((await post(document)).status).toBe(201);
    const [run] = await history.runs({ cluster });
    expect(run?.result).toMatchObject({ outcome: "completed", origin: "pod" });
  });
});
