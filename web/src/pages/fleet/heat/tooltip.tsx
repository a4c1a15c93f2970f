import type { JSX } from "preact";
import type { SpotWords } from "./describe.ts";

/** What the pointer is on. Those who do not point hear or read the same elsewhere. */
export function Tooltip(props: {
  readonly words: SpotWords;
  readonly check: number | undefined;
  /** In the map, CSS pixels, with the map's width. */
  readonly at: { readonly x: number; readonly y: number; readonly width: number };
}): JSX.Element {
  const { words, check, at } = props;
  const isRight = at.x > at.width / 2;
  const side = isRight ? { right: `${at.width - at.x + 14}px` } : { left: `${at.x + 14}px` };
  return (
    <div class="heat-tooltip" aria-hidden="true" style={{ ...side, top: `${at.y + 14}px` }}>
      <b>{words.node}</b>
      <span class="heat-tooltip-about">{words.about}</span>
      <ul>
        {words.lines.map((line, index) => (
          <li key={line} class={index === check ? "is-pointed" : undefined}>
            {line}
          </li>
        ))}
      </ul>
    </div>
  );
}
