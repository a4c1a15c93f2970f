import { splitCode } from "./split-code.ts";

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
