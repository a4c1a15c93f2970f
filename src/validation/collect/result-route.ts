import { z } from "zod";
import { TesseraError } from "../../platform/errors/index.ts";
import { defineRoute, type Route } from "../../platform/http/index.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { formatBytes } from "../../platform/units/index.ts";
import type { History } from "../history/history.ts";
import type { RunIntent } from "../run.ts";
import { decodeResult, mismatch, resultOf } from "./result-document.ts";
import { resultLimits, resultSchema } from "./result-schema.ts";
import { isRunToken } from "./run-token.ts";

export interface ResultRouteOptions {
  readonly history: Pick<History, "findIntent" | "recordResult">;
  /** From `ensureRunSecret`. */
  readonly secret: string;
  /** The time runs are recorded with. */
  readonly clock: Clock;
  /** Called once for every result that was recorded. */
  readonly onResult?: (intent: RunIntent) => void;
}

/** Where a run of this id hands in, below the address of a server. */
export function resultPath(runId: string): string {
  return `/api/v1/runs/${encodeURIComponent(runId)}/result`;
}

/**
 * The way in for results: `POST /api/v1/runs/:id/result` with the run's own token. Without the right
 * token nobody learns whether a run exists: any id is answered with the same 401. The answer is 201
 * when the result was recorded and 200 when one had been before; both mean that it need not come
 * again.
 */
export function createResultRoute(options: ResultRouteOptions): Route {
  const { history, secret, clock, onResult } = options;
  return defineRoute({
    method: "POST",
    path: "/api/v1/runs/:id/result",
    summary: "Takes the result of a run from its job, which holds the run's token.",
    access: "open",
    ownToken: true,
    params: z.strictObject({ id: z.string().max(resultLimits.nameChars) }),
    ownBody: resultSchema,
    errors: ["E_RUN_TOKEN_REFUSED", "E_RESULT_INVALID", "E_BODY_TOO_LARGE", "E_NOT_FOUND"],
    responses: {
      status: 201,
      description: "Recorded.",
      schema: z.strictObject({ runId: z.string(), status: z.enum(["recorded", "already"]) }),
      otherStatus: { status: 200, description: "A result of this run was there already." },
    },
    handle: async ({ params: { id }, request }) => {
      const token = bearerOf(request.headers.get("authorization"));
      if (token === undefined || !isRunToken(secret, id, token)) {
        throw new TesseraError("E_RUN_TOKEN_REFUSED", {});
      }
      const invalid = (problem: string) =>
        new TesseraError("E_RESULT_INVALID", { run: id, problem });
      const decoded = decodeResult(await readBody(request), token);
      if (!decoded.accepted) throw invalid(decoded.reason);
      const intent = await history.findIntent(id);
      if (intent === undefined) throw noSuchRun(id);
      const problem = mismatch(decoded.document, intent);
      if (problem !== undefined) throw invalid(problem);
      const atMs = clock.nowMs();
      const result = resultOf(decoded.document, {
        plannedAtMs: intent.plannedAtMs,
        receivedAtMs: atMs,
      });
      const from = { origin: "pod", atMs, way: "post", digest: decoded.digest } as const;
      const status = await history.recordResult(result, from);
      if (status === "no-such-run") throw noSuchRun(id);
      if (status === "recorded") onResult?.(intent);
      return { status: status === "recorded" ? 201 : 200, json: { runId: id, status } };
    },
  });
}

function bearerOf(header: string | null): string | undefined {
  return /^bearer +([\w-]{1,128})$/i.exec(header?.trim() ?? "")?.[1];
}

function noSuchRun(id: string): TesseraError {
  const details = { kind: "run", id, list: "/api/v1/runs" };
  const hint = "Its record is gone; nothing can be handed in for it.";
  return new TesseraError("E_NOT_FOUND", details, { hint });
}

/** Reads until the end or the limit of a result, which is not that of other requests. */
async function readBody(request: Request): Promise<Uint8Array> {
  const limit = formatBytes(resultLimits.sizeBytes);
  const hint = `A result has at most ${limit}; take fewer samples.`;
  const tooLarge = () => new TesseraError("E_BODY_TOO_LARGE", { limit }, { hint });
  if (Number(request.headers.get("content-length") ?? 0) > resultLimits.sizeBytes) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of request.body ?? []) {
    sizeBytes += chunk.length;
    if (sizeBytes > resultLimits.sizeBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
