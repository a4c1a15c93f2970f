/** What errors call the text of a request. */
export const shownFile = "the experiment";
