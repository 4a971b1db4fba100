import { type Fields, fieldsOf, listOf } from "../common/decode.ts"
import { failureSentence } from "../link/GatewayCallError.ts"
import type { GatewayLink } from "../link/linkTypes.ts"
import { hasMoreThan, readBeyondList } from "./beyondList.ts"

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
