import { messageOf } from "../../../platform/errors/index.ts";
import { compareValue, type ProbeFinding } from "./compare.ts";
import type { OutsideProbe } from "./outside-probe.ts";

type Of<Kind extends OutsideProbe["kind"]> = Extract<OutsideProbe, { kind: Kind }>;

const answerBytesMax = 1024 * 1024;

/** GET, following nothing: a redirect is an answer of its own. */
export async function askHttp(probe: Of<"http">, signal: AbortSignal): Promise<ProbeFinding> {
  const answer = await fetch(probe.url, { redirect: "manual", signal });
  await answer.body?.cancel();
  const reason = `${probe.url} answered ${answer.status}, ${probe.status} is wanted`;
  return { holds: answer.status === probe.status, reason };
}

/** An instant query. A query that gives no number or several is no answer. */
export async function askPrometheus(
  probe: Of<"promql">,
  signal: AbortSignal,
): Promise<ProbeFinding> {
  const url = new URL(`${probe.url.replace(/\/+$/, "")}/api/v1/query`);
  url.searchParams.set("query", probe.query);
  const answer = await fetch(url, { redirect: "error", signal });
  const text = await textOf(answer);
  if (!answer.ok) return { holds: null, reason: `Prometheus answered ${answer.status}` };
  const values = valuesIn(text);
  const [value] = values;
  if (value === undefined || values.length > 1) {
    return { holds: null, reason: `the query gave ${values.length} values, one is wanted` };
  }
  return compareValue(Number(value), probe.is);
}

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of answer.body ?? []) {
    const bytes = chunk as Uint8Array;
    sizeBytes += bytes.byteLength;
    if (sizeBytes > answerBytesMax) throw new Error("the answer is larger than 1 MiB");
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function valuesIn(text: string): readonly string[] {
  try {
    const answer = JSON.parse(text) as {
      readonly data?: { readonly resultType?: string; readonly result?: unknown };
    };
    const result = answer.data?.result;
    if (!Array.isArray(result)) return [];
    if (answer.data?.resultType === "scalar") return [String(result[1])];
    return result.map((one: { readonly value?: readonly unknown[] }) => String(one.value?.[1]));
  } catch (error) {
    throw new Error(`the answer is no JSON: ${messageOf(error)}`, { cause: error });
  }
}
