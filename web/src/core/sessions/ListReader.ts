import { type Fields, fieldsOf, listOf, recordsOf } from "../../../../src/contract/looseFields.ts"
import { keyParts } from "../../../../src/contract/qualifiedKey.ts"
import { failureSentence } from "../link/GatewayCallError.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import type { KnownMarks } from "./MarksStore.ts"

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

interface BeyondList {
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
async function readBeyondList(
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

const REFRESH_DELAY = 400
/** Gateways give archived sessions in a list of their own since this generation of the protocol. */
const ARCHIVES_SINCE_PROTOCOL = 4

interface ListReaderHooks {
  /** How many sessions, those that are wanted wherever they stand, and whether archived ones are wanted, too. */
  readonly wants: () => { readonly limit: number; readonly keys: ReadonlyArray<string>; readonly archived: boolean }
  readonly onBegin: () => void
  /**
   * `archived` is the list of archived sessions, where there is one of its own; `beyond` are rows of what is wanted
   * wherever it stands.
   */
  readonly onList: (payload: Fields, archived: unknown, beyond: ReadonlyArray<unknown>) => void
  readonly onFailure: (message: string) => void
  /** Everything asked for so far was read. */
  readonly onDone: () => void
}

export interface ListReader {
  /** Reads the list, once more if something asks for that meanwhile. */
  refresh(): Promise<void>
  /** Reads it a moment later, once for all that ask until then. */
  refreshSoon(): void
  /** The connection is new: an answer on the old one doesn't count any more. */
  startAnew(): void
  dispose(): void
}

/** Reads a gateway's list of sessions, one request at a time. */
export function createListReader(link: Pick<GatewayLink, "hello" | "request">, hooks: ListReaderHooks): ListReader {
  let reading: Promise<void> | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let stale = false

  async function ask(): Promise<readonly [Fields, unknown, ReadonlyArray<unknown>]> {
    const { archived, keys, limit } = hooks.wants()
    const params = { includeDerivedTitles: true, includeLastMessage: true }
    const isArchiveApart = (link.hello.get()?.protocol ?? 0) >= ARCHIVES_SINCE_PROTOCOL
    const [list, away] = await Promise.all([
      link.request("sessions.list", { limit, ...params }).then(fieldsOf),
      archived && isArchiveApart ? link.request("sessions.list", { limit, ...params, archived }) : null
    ])
    const { sessions } = fieldsOf(away)
    const listed = [...listOf(list.sessions), ...listOf(sessions)]
    const beyond = hasMoreThan(limit, list) ? await readBeyondList(link, { keys, listed, params, isArchiveApart }) : []
    return [list, sessions, beyond]
  }

  async function read(): Promise<void> {
    const greeting = link.hello.get()
    do {
      stale = false
      hooks.onBegin()
      let answers: Awaited<ReturnType<typeof ask>>
      try {
        answers = await ask()
      } catch (reason) {
        // A later connection reads again.
        if (greeting === link.hello.get()) hooks.onFailure(failureSentence(reason))
        return
      }
      if (greeting !== link.hello.get()) return
      hooks.onList(...answers)
    } while (stale)
    hooks.onDone()
  }

  function refresh(): Promise<void> {
    clearTimeout(timer)
    if (reading !== null) {
      stale = true
      return reading
    }
    if (link.hello.get() === null) return Promise.resolve()
    const mine = read().finally(() => {
      if (reading === mine) reading = null
    })
    reading = mine
    return mine
  }

  return {
    refresh,
    refreshSoon: () => {
      clearTimeout(timer)
      timer = setTimeout(refresh, REFRESH_DELAY)
    },
    startAnew: () => {
      reading = null
    },
    dispose: () => clearTimeout(timer)
  }
}
