import { Option, Schema } from "effect"
import type { SessionRow } from "../../contract/schema/sessionRow.ts"

/** The latest first. */
const byTime = (one: SessionRow, other: SessionRow): number =>
  other.updatedAt - one.updatedAt || (one.key < other.key ? -1 : 1)

/** Shown however many others there are: what needs a person, or what a person put there. */
const isAlwaysShown = (row: SessionRow, looked: ReadonlySet<string>): boolean =>
  row.kind === "main" || row.pinned || row.state !== "idle" || looked.has(row.key)

export interface SessionWindow {
  readonly items: ReadonlyArray<SessionRow>
  /** Some were left out. */
  readonly isCut: boolean
}

/** The latest of these sessions, and all those that are always shown. */
export const sessionWindow = (
  rows: ReadonlyArray<SessionRow>,
  limit: number,
  looked: ReadonlySet<string>
): SessionWindow => {
  const sorted = rows.toSorted(byTime)
  const items = sorted.filter((row, index) => index < limit || isAlwaysShown(row, looked))
  return { items, isCut: items.length < sorted.length }
}

/** A place in a list: behind the session with this time and key. */
const Place = Schema.fromJsonString(Schema.Tuple([Schema.Finite, Schema.String]))
type Place = typeof Place.Type
const decodePlace = Schema.decodeUnknownOption(Place)

const cursorOf = ({ key, updatedAt }: SessionRow): string =>
  Buffer.from(JSON.stringify([updatedAt, key])).toString("base64url")

/** The place that a cursor names; undefined for a damaged one. */
export const placeOf = (cursor: string): Place | undefined =>
  Option.getOrUndefined(decodePlace(Buffer.from(cursor, "base64url").toString()))

/** A page of these sessions behind a place, and the cursor of the next one unless it's the last. */
export const sessionPage = (rows: ReadonlyArray<SessionRow>, limit: number, place: Place | undefined) => {
  const isBehind = (row: SessionRow) =>
    place === undefined || row.updatedAt < place[0] || (row.updatedAt === place[0] && row.key > place[1])
  const behind = rows.filter(isBehind).sort(byTime)
  const sessions = behind.slice(0, limit)
  const last = sessions.at(-1)
  return { sessions, ...(behind.length > limit && last !== undefined ? { cursor: cursorOf(last) } : {}) }
}
