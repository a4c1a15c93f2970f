/** The bytes of a buffer, and the same view every time. */
export type ViewOf = (buffer: ArrayBuffer | SharedArrayBuffer) => Buffer;

/**
 * Views of buffers, each made once: to make one takes as long as to copy some kilobytes. A memory
 * that has grown is another buffer.
 *
 * Its text is also part of a thread's source, so it must stand alone.
 */
export function createViews(): ViewOf {
  const views = new WeakMap<object, Buffer>();
  return (buffer) => {
    const known = views.get(buffer);
    if (known !== undefined) return known;
    const view = Buffer.from(buffer);
    views.set(buffer, view);
    return view;
  };
}
