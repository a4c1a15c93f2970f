/** Facts of any shape, kept as a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON document for a text column. What JSON cannot say (undefined, functions) is left out. */
export function toJsonText(value: JsonObject): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "bigint" ? String(part) : part,
  );
}

/** The document in a text column. */
export function fromJsonText(text: string): JsonObject {
  const value: JsonObject = JSON.parse(text);
  return value;
}
