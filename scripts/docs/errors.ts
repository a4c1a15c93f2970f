import { type ErrorRow, errorTable } from "../../src/platform/errors/index.ts";
import { code, table } from "./markdown.ts";

/** docs/errors.md. */
export function errorsPage(): string {
  const rows = Object.entries<ErrorRow>(errorTable).map(([name, row]) => [
    code(name),
    row.message,
    row.hint,
    String(row.exitCode),
    String(row.httpStatus),
  ]);
  return `# Errors

Every error Tessera reports on purpose has a code. The command line prints it as one paragraph on
stderr: the code, what was wrong and where, the cause if there is one, and what to do. With
\`--verbose\` the stack follows. With \`--json\` stdout gets the same as one line:

\`\`\`json
{"error":{"code":"E_USAGE","message":"...","hint":"...","details":{}}}
\`\`\`

The HTTP API answers with \`application/problem+json\` and the status below. \`tessera explain CODE\`
prints a row of this table. Names in braces are filled in from \`details\`.

${table(["code", "says", "what to do", "exit code", "HTTP status"], rows)}`;
}
