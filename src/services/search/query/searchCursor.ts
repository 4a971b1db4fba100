import { crc32 } from "node:zlib"

/** Where a page of hits ends and the next one goes on. */
export type SearchCursor =
  | { readonly sort: "newest"; readonly before: number }
  /** Ranks change while the index grows, so later pages leave out what was added after the first. */
  | { readonly sort: "relevance"; readonly added: number; readonly position: number }

const FORM = /^(?:n\.(?<before>\d{1,16})|r\.(?<added>\d{1,16})\.(?<position>\d{1,6}))\.(?<sum>[0-9a-f]{1,8})$/

const sumOf = (text: string) => crc32(text).toString(16)

const signed = (text: string) => Buffer.from(`${text}.${sumOf(text)}`).toString("base64url")

export const encodeCursor = (cursor: SearchCursor): string =>
  signed(cursor.sort === "newest" ? `n.${cursor.before}` : `r.${cursor.added}.${cursor.position}`)

/** A cursor as it was given out; `undefined` if it's damaged. */
export const decodeCursor = (text: string): SearchCursor | undefined => {
  const plain = Buffer.from(text, "base64url").toString("latin1")
  const groups = FORM.exec(plain)?.groups
  if (groups === undefined || Buffer.from(plain).toString("base64url") !== text) return undefined
  const { before, added, position, sum } = groups
  if (sum !== sumOf(plain.slice(0, plain.lastIndexOf(".")))) return undefined
  const numbers = [before, added, position].map((digits) => Number(digits ?? 0))
  if (!numbers.every(Number.isSafeInteger)) return undefined
  return before === undefined
    ? { sort: "relevance", added: Number(added), position: Number(position) }
    : { sort: "newest", before: Number(before) }
}
