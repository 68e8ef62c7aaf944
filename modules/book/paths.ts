/** Path of the pages of a book's electronic edition. */
export const pagesPath = (id: number): string => `/practiceBook/content/pebDetail?book_id=${id}`
