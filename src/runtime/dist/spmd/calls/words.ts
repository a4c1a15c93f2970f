/** ` over tp x pp`, or nothing for all axes. */
export function overText(over: string | readonly string[] | undefined): string {
  if (over === undefined) return "";
  return ` over ${typeof over === "string" ? over : over.join(" x ")}`;
}
