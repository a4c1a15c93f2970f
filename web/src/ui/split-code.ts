/** Parts a text at its backticks; one without a partner is a backtick. */
export function splitCode(
  text: string,
): readonly { readonly isCode: boolean; readonly part: string }[] {
  return text
    .split(/(`[^`\n]+`)/)
    .filter((part) => part !== "")
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`")
        ? { isCode: true, part: part.slice(1, -1) }
        : { isCode: false, part },
    );
}
