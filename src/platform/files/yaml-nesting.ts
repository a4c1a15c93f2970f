import { Lexer, Parser } from "yaml";

/** Far more than any file of people has, far less than the stack of the parser bears. */
const nestingMax = 64;

/** For people, where a text is nested more deeply than that. */
export const yamlTooDeep = "it is nested too deeply";

/**
 * Whether values of a YAML text stand within each other so often that it is no file of people. To be
 * asked before the text is parsed: that takes a piece of the stack for each level, and where the
 * stack ends in the middle of a regular expression the whole process ends, which nothing can catch.
 */
export function isYamlNestedTooDeeply(text: string): boolean {
  // Both of these go on without recursion; nothing of what they yield is kept.
  const parser = new Parser();
  for (const source of new Lexer().lex(text)) {
    const tokens = parser.next(source);
    while (tokens.next().done !== true);
    if (parser.stack.length > nestingMax) return true;
  }
  return false;
}
