import { splitCode } from "./split-code.ts";

/** Found with a group, so that every second part is one. */
const glued = /([\d.,]+ %)/;

/** A sentence of the server's; a value and its per cent sign stay on one line. */
export function Sentence({ text }: { readonly text: string }) {
  return (
    <>
      {text.split(glued).map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <span key={at} class="nowrap">
            {part}
          </span>
        ),
      )}
    </>
  );
}

/** Text with what stands between backticks shown as code. */
export function Words({ text }: { readonly text: string }) {
  return (
    <>
      {splitCode(text).map(({ isCode, part }, at) =>
        isCode ? <code key={at}>{part}</code> : <span key={at}>{part}</span>,
      )}
    </>
  );
}
