/**
 * Where the words beside lines across a plot stand: each as near to its line as it can, in the order of the
 * lines, and none over another for as long as there is room for all. `at` and the places are middles.
 */
export function placeLabels(
  at: readonly number[],
  room: { readonly top: number; readonly bottom: number; readonly height: number },
): readonly number[] {
  const order = at.map((_, index) => index).toSorted((a, b) => (at[a] ?? 0) - (at[b] ?? 0));
  const { top, bottom } = room;
  const gap = Math.min(room.height, (bottom - top) / Math.max(1, at.length));
  const places = [...at];
  let least = top + gap / 2;
  for (const index of order) {
    const place = Math.max(least, at[index] ?? 0);
    places[index] = place;
    least = place + gap;
  }
  let most = bottom - gap / 2;
  for (const index of order.toReversed()) {
    const place = Math.min(most, places[index] ?? 0);
    places[index] = place;
    most = place - gap;
  }
  return places;
}
