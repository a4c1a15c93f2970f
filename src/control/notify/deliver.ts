import type { NotificationTarget } from "../../platform/config/sections/notifications.ts";
import type { Clock } from "../../platform/time/clock.ts";
import { version } from "../../version.ts";
import { findAddress } from "./address.ts";
import { retryAfterMs } from "./backoff.ts";
import type { Message } from "./message.ts";
import { signatureOf } from "./signature.ts";
import { slackBody } from "./slack.ts";

export type DeliveryResult =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** For people; never holds the address. */
      readonly problem: string;
      /** How long the server wants to be left alone. */
      readonly askedMs: number | undefined;
    };

export interface DeliverOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** @default 10_000 */
  readonly timeoutMs?: number;
}

/** Sends a message once. Never rejects, follows no redirect, and reads nothing of the answer. */
export async function deliver(
  target: NotificationTarget,
  message: Message,
  options: DeliverOptions,
): Promise<DeliveryResult> {
  const { env, clock, timeoutMs = 10_000 } = options;
  const address = await findAddress(target, env);
  if ("problem" in address) return failed(address.problem);
  const body = JSON.stringify(target.kind === "slack" ? slackBody(message) : message);
  const atMs = clock.nowMs();
  const { secret } = address;
  const late = new AbortController();
  const timer = clock.setTimer(timeoutMs, () => late.abort());
  try {
    const response = await fetch(address.url, {
      method: "POST",
      body,
      redirect: "manual",
      signal: AbortSignal.any([late.signal, options.signal]),
      headers: {
        "content-type": "application/json",
        "user-agent": `tessera/${version}`,
        "x-tessera-delivery": message.id,
        ...(secret === undefined
          ? {}
          : { "x-tessera-signature": signatureOf(body, { secret, atMs }) }),
      },
    });
    await response.body?.cancel().catch(() => {});
    return judge(response, atMs);
  } catch (error) {
    if (options.signal.aborted) return failed("this process stopped while it was sent");
    if (late.signal.aborted) return failed(`no answer came within ${timeoutMs / 1000} s`);
    return failed(`the connection failed (${reasonOf(error)})`);
  } finally {
    timer.cancel();
  }
}

function judge({ status, ok, headers }: Response, nowMs: number): DeliveryResult {
  if (ok) return { ok: true };
  if (status >= 300 && status < 400) {
    return failed(`it answered ${status}: it wants to be asked elsewhere, which is not done`);
  }
  const askedMs = retryAfterMs(headers.get("retry-after"), nowMs);
  return { ok: false, problem: `it answered ${status}`, askedMs };
}

/** The short code of a network problem. Its message may hold the address, so it is not told. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : "";
  return typeof code === "string" && /^[A-Z_]{3,40}$/.test(code) ? code : "no reason given";
}

function failed(problem: string): DeliveryResult {
  return { ok: false, problem, askedMs: undefined };
}
