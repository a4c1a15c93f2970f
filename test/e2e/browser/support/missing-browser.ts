/**
 * What to do where no browser starts: on a build machine that is a failure, or nobody would learn that
 * nothing was tested. TESSERA_REQUIRE_BROWSER says otherwise, both ways.
 */
export function isBrowserRequired(env: Readonly<Record<string, string | undefined>>): boolean {
  const asked = env["TESSERA_REQUIRE_BROWSER"] ?? "";
  const isYes = (text: string) => text !== "" && text !== "0" && text !== "false";
  return asked === "" ? isYes(env["CI"] ?? "") : isYes(asked);
}
