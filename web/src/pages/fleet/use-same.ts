import { useRef } from "preact/hooks";

/** The list as it was while its content stays: an answer that changed nothing moves nothing on the page. */
export function useSame<List extends Uint32Array | Uint8Array | undefined>(list: List): List {
  const kept = useRef(list);
  if (!isSame(kept.current, list)) kept.current = list;
  return kept.current;
}

function isSame(a: ArrayLike<number> | undefined, b: ArrayLike<number> | undefined): boolean {
  if (a === b || a === undefined || b === undefined) return a === b;
  if (a.length !== b.length) return false;
  for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false;
  return true;
}
