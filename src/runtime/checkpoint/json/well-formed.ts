/** Whether UTF-8 can hold the text: no half of a surrogate pair stands alone in it. */
export function isWellFormed(text: string): boolean {
  // The types of ES2023 do not know it yet; every engine that we run on does, and needs no pattern.
  return (text as string & { isWellFormed(): boolean }).isWellFormed();
}
