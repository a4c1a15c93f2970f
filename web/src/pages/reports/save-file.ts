/** Gives the person a file. It is fetched with their token first, which a plain link could not send. */
export function saveFile(
  name: string,
  file: { readonly text: string; readonly type: string },
): void {
  const url = URL.createObjectURL(new Blob([file.text], { type: file.type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content once the click is over; a while later is surely after it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
