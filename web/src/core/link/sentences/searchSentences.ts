import { serverSaid } from "./serverSaid.ts"

/** About the search and the count of tokens. */
export const SEARCH_SENTENCES: ReadonlyArray<string> = [
  serverSaid("enter at least one word"),
  serverSaid("it's damaged, or of another search; start from the first page"),
  serverSaid("the disk has too little room for the search index"),
  serverSaid("couldn't count the token usage: the console's log has the cause")
]
