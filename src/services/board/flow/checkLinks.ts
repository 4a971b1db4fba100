import { Effect } from "effect"
import { ofField } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { CycleFound, InvalidLink } from "../boardErrors.ts"
import type { BoardDb } from "../store/BoardStore.ts"
import { findPredecessors, heightOf, isWaitedFor, lineOf, linksFrom } from "../store/linkStore.ts"
import { cyclePath } from "./cyclePath.ts"

/** Most cards above a card. */
const MAX_ANCESTORS = 3

/** The links that a change gives to a card; absent ones stay. */
export interface Links {
  readonly after?: ReadonlyArray<string> | null | undefined
  readonly parentId?: string | null | undefined
}

const checkKnown = Effect.fnUntraced(function* (db: BoardDb, { after, parentId }: Links, named: ReadonlyArray<string>) {
  const added = (after ?? []).filter((one) => !named.includes(one))
  const ids = [...new Set([...added, ...(parentId ? [parentId] : [])])]
  const known = yield* findPredecessors(db, ids)
  const unknown = ids.find((id) => !known.has(id))
  if (unknown === undefined) return
  const field = after?.includes(unknown) === true ? "after" : "parentId"
  return yield* new InvalidLink(ofField(field, failure("UNKNOWN_CARD", { id: unknown })))
})

const checkAfter = Effect.fnUntraced(function* (db: BoardDb, id: string, after: ReadonlyArray<string>) {
  // A card that nobody waits for can't close a circle, unless it waits for itself.
  const mayClose = after.includes(id) || (yield* isWaitedFor(db, id))
  if (!mayClose) return
  const others = (yield* linksFrom(db, after)).filter(({ from }) => from !== id)
  const path = cyclePath(id, [...after.map((to) => ({ from: id, to })), ...others])
  if (path !== undefined) return yield* new CycleFound({ path })
})

const checkParent = Effect.fnUntraced(function* (db: BoardDb, id: string, parentId: string) {
  const above = yield* lineOf(db, parentId)
  const place = above.indexOf(id)
  if (place >= 0) return yield* new CycleFound({ path: [id, ...above.slice(0, place + 1)] })
  const depth = above.length + (yield* heightOf(db, id, MAX_ANCESTORS))
  if (depth > MAX_ANCESTORS)
    return yield* new InvalidLink(ofField("parentId", failure("TOO_MANY_ANCESTORS", { max: MAX_ANCESTORS })))
})

/**
 * Refuses links to cards that aren't there, and those that lead back to the card or too far up. A card that was deleted
 * stays in the list of one that waits for it, so `named`, what the card waits for already, may be given again.
 */
export const checkLinks = Effect.fnUntraced(function* (
  db: BoardDb,
  id: string,
  links: Links,
  named: ReadonlyArray<string> = []
) {
  if (!links.after?.length && !links.parentId) return
  yield* checkKnown(db, links, named)
  if (links.after?.length) yield* checkAfter(db, id, links.after)
  if (links.parentId) yield* checkParent(db, id, links.parentId)
})
