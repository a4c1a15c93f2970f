/**
 * What `head.*?tail` finds first, in time that grows with the text and not with its square: where
 * no tail follows a head on its line, none follows a later head on that line either.
 *
 * @param head global; without line ends
 * @param tail global; without line ends
 */
export function firstAfter(
  text: string,
  head: RegExp,
  tail: RegExp,
): { readonly head: RegExpExecArray; readonly tail: RegExpExecArray } | undefined {
  let from = 0;
  for (;;) {
    head.lastIndex = from;
    const begin = head.exec(text);
    if (begin === null) return undefined;
    tail.lastIndex = head.lastIndex;
    const end = tail.exec(text);
    if (end === null) return undefined;
    const lineEnd = text.indexOf("\n", head.lastIndex);
    if (lineEnd === -1 || end.index < lineEnd) return { head: begin, tail: end };
    from = lineEnd;
  }
}
