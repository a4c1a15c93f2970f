/**
 * The text that journald keeps of a record which a program wrote into the kernel log: without its
 * first word, where that ends with a colon, and the space after it. It takes that word for the name
 * of the program. Other blanks than spaces never stand in a record: the kernel writes them as `\x09`.
 */
export function withoutIdentifier(text: string): string {
  return text.replace(/^ *[^ ]*:(?: |$)/, "");
}
