/** What the fault API answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** One call of the fault API. */
export interface ApiCall {
  readonly method?: "GET" | "POST" | "DELETE";
  readonly path: string;
  readonly body?: object;
}

/** Asks the fault API as the bearer of a token; without one as nobody. */
export async function askApi(
  url: string,
  token: string | undefined,
  { method = "GET", path, body }: ApiCall,
): Promise<ApiAnswer> {
  const answer = await fetch(new URL(path, url), {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get("content-type")?.includes("json") === true;
  return { status: answer.status, body: isJson ? (JSON.parse(text) as ApiAnswer["body"]) : {} };
}
