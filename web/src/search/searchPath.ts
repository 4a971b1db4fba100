/** The address of a search. */
export const searchPath = (text: string): string =>
  text.trim() === "" ? "/search" : `/search?${new URLSearchParams({ q: text })}`
