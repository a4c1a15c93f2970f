export { LineParser, type LineParserOptions, type ParsedLogLine } from "./line-parser.ts";
