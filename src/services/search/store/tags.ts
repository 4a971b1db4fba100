import { SEARCH_KINDS, SEARCH_ROLES, type SearchKind, type SearchRole } from "../../../contract/search.ts"
import type { TagChoices } from "../query/matchExpression.ts"
import type { SearchOrder, SearchPlace } from "../searchTypes.ts"

/** Kinds and roles are stored as numbers. */
export const kindNumber = (kind: SearchKind): number => SEARCH_KINDS.indexOf(kind)
export const roleNumber = (role: SearchRole | undefined): number =>
  role === undefined ? -1 : SEARCH_ROLES.indexOf(role)
export const roleOf = (number: number): SearchRole | undefined => SEARCH_ROLES[number]

const named = (letter: string, name: string) => letter + Buffer.from(name).toString("hex")
const kindTag = (kind: SearchKind) => `k${kindNumber(kind)}`
const roleTag = (role: SearchRole) => `r${roleNumber(role)}`
const placeTag = (id: number) => `p${id}`

/** The words by which an entry is found besides its text. */
export const tagsOf = (place: SearchPlace, id: number, role: SearchRole | undefined): string =>
  [
    kindTag(place.kind),
    placeTag(id),
    named("g", place.gatewayId),
    ...(place.agent === "" ? [] : [named("a", place.agent)]),
    ...(role === undefined ? [] : [roleTag(role)])
  ].join(" ")

/** The tags that an order asks for; a conversation is given by the ids of its places. */
export const tagsWanted = (order: SearchOrder, places: ReadonlyArray<number> | undefined): TagChoices => {
  const { agent, gatewayId, kinds, roles, terms } = order
  const all = kinds.length === 0 ? SEARCH_KINDS : kinds
  // A tag that everything has only costs time, but a query without a word that must occur has to begin with something.
  const isNeeded = all.length < SEARCH_KINDS.length || terms.every(({ isWithout }) => isWithout)
  return [
    ...(isNeeded ? [all.map(kindTag)] : []),
    ...(roles.length === 0 ? [] : [roles.map(roleTag)]),
    ...(gatewayId === undefined ? [] : [[named("g", gatewayId)]]),
    ...(agent === undefined ? [] : [[named("a", agent)]]),
    ...(places === undefined ? [] : [places.map(placeTag)])
  ]
}
