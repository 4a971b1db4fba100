import { keyParts } from "../../../../src/contract/qualifiedKey.ts"
import { type Fields, fieldsOf, listOf, recordsOf } from "../common/decode.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { KnownMarks } from "./markTypes.ts"

/** Rows of a search by key, which also finds keys that only contain it, and of a session's helpers. */
const MAX_FOUND = 100

/** Pinned sessions that are looked for. */
const MAX_PINNED = 20

/** The sessions of a gateway that are shown however old they are: its main one, the open one, and pinned ones. */
export const alwaysShown = (mainKey: string, openKey: string, marks: KnownMarks | null): ReadonlyArray<string> => {
  const isOwn = (key: string) => keyParts(key).gatewayId === keyParts(mainKey).gatewayId
  const pinned = [...(marks?.marks ?? [])].flatMap(([key, mark]) => (mark.pinned && isOwn(key) ? key : []))
  return [...new Set([mainKey, openKey, ...pinned.slice(0, MAX_PINNED)])].filter(isOwn)
}

/** Whether a gateway has more sessions than it listed; older ones don't say. */
export const hasMoreThan = (limit: number, list: Fields): boolean =>
  typeof list.hasMore === "boolean" ? list.hasMore : listOf(list.sessions).length >= limit

export interface BeyondList {
  /** Sessions that are shown wherever they stand. */
  readonly keys: ReadonlyArray<string>
  readonly listed: ReadonlyArray<unknown>
  /** What else to ask every list for. */
  readonly params: object
  /** The gateway gives sessions that were put away in a list of their own. */
  readonly isArchiveApart: boolean
}

/**
 * The rows of sessions that stand beyond the end of a gateway's list, which has the newest, and of the helpers they
 * started. What can't be read is left out.
 */
export async function readBeyondList(
  link: Pick<GatewayLink, "request">,
  { isArchiveApart, keys, listed, params }: BeyondList
): Promise<ReadonlyArray<unknown>> {
  const known = new Set(recordsOf(listed).map(({ key }) => key))
  const list = (more: object): Promise<ReadonlyArray<unknown>> =>
    link.request("sessions.list", { ...params, limit: MAX_FOUND, ...more }).then(
      (answer) => listOf(fieldsOf(answer).sessions),
      () => []
    )
  const find = async (key: string, more: object) =>
    recordsOf(await list({ search: keyParts(key).key, ...more })).filter((row) => row.key === key)
  const asked = keys.flatMap((key) => [
    ...(known.has(key) ? [] : [find(key, {})]),
    ...(known.has(key) || !isArchiveApart ? [] : [find(key, { archived: true })]),
    list({ spawnedBy: key })
  ])
  return (await Promise.all(asked)).flat().filter((row) => !known.has(fieldsOf(row).key))
}
