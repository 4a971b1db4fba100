import { type Fields, fieldsOf } from "../common/decode.ts"
import { failureSentence } from "../link/GatewayCallError.ts"
import type { GatewayLink } from "../link/linkTypes.ts"

const REFRESH_DELAY = 400
/** Gateways give archived sessions in a list of their own since this generation of the protocol. */
const ARCHIVES_SINCE_PROTOCOL = 4

interface ListReaderHooks {
  /** How many sessions, and whether archived ones are wanted, too. */
  readonly wants: () => { readonly limit: number; readonly archived: boolean }
  readonly onBegin: () => void
  /** `archived` is the list of archived sessions, where there is one of its own. */
  readonly onList: (payload: Fields, archived: unknown) => void
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

  async function ask(): Promise<readonly [unknown, unknown]> {
    const { archived, limit } = hooks.wants()
    const params = { limit, includeDerivedTitles: true, includeLastMessage: true }
    const isApart = archived && (link.hello.get()?.protocol ?? 0) >= ARCHIVES_SINCE_PROTOCOL
    return Promise.all([
      link.request("sessions.list", params),
      isApart ? link.request("sessions.list", { ...params, archived }) : null
    ])
  }

  async function read(): Promise<void> {
    const greeting = link.hello.get()
    do {
      stale = false
      hooks.onBegin()
      let answers: readonly [unknown, unknown]
      try {
        answers = await ask()
      } catch (reason) {
        // A later connection reads again.
        if (greeting === link.hello.get()) hooks.onFailure(failureSentence(reason))
        return
      }
      if (greeting !== link.hello.get()) return
      hooks.onList(fieldsOf(answers[0]), fieldsOf(answers[1]).sessions)
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
