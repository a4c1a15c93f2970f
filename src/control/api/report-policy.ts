/**
 * The policy of a report that a browser shows as a page: styles and pictures of its own, and nothing
 * else. Frames of this server may hold it; it is walled off from whoever does.
 */
export const reportPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox";
