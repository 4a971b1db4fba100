import { keyParts, PRIMARY } from "../../../../src/contract/qualifiedKey.ts"
import type { FoundPath, FoundPaths } from "../../../../src/contract/schema/files.ts"
import { agentOfKey } from "../../../../src/services/conversations/history/agentOfKey.ts"
import { createObservable, type Readable } from "../common/Observable.ts"
import type { ApiClient } from "../link/apiTypes.ts"

const SHOWN = 12
/** Whoever types on within this time asks once. */
const PAUSE = 90
/** How many answers are remembered while a path is typed. */
const MAX_KEPT = 200

export interface FoundFiles {
  readonly entries: ReadonlyArray<FoundPath>
  /** Why there are none; null where nothing went wrong. */
  readonly problem: string | null
}

/** Finds files of a session's agent while their paths are typed. */
export interface FileLookup {
  /** Changes with every answer. */
  readonly found: Readable<number>
  /** What is known for these letters at this moment. */
  of(query: string): FoundFiles
  /** Asks for them, unless they are known. */
  want(query: string): void
  dispose(): void
}

type Answer = FoundPaths

/** Whether all letters occur in that order, as the console looks for them. */
const hasInOrder = (path: string, letters: string): boolean => {
  let at = 0
  for (const letter of letters) {
    at = path.indexOf(letter, at)
    if (at === -1) return false
    at += letter.length
  }
  return true
}

const folded = (text: string): string => text.normalize("NFC").toLowerCase()

/** The API's address that finds files of a session's agent. */
const addressFor = (sessionKey: string, query: string): string => {
  const { gatewayId, key } = keyParts(sessionKey)
  const more = gatewayId === PRIMARY ? {} : { gateway: gatewayId }
  return `/api/files/find?${new URLSearchParams({ q: query, limit: `${SHOWN}`, agent: agentOfKey(key), ...more })}`
}

export function createFileLookup(api: Pick<ApiClient, "request">, sessionKey: string): FileLookup {
  const answers = new Map<string, Answer>()
  const found = createObservable(0)
  let problem: string | null = null
  let wanted = ""
  let isAsking = false
  let timer: ReturnType<typeof setTimeout> | undefined

  async function ask(query: string): Promise<void> {
    isAsking = true
    const answer = await api.request("GET", addressFor(sessionKey, query), (found: Answer) => found)
    isAsking = false
    problem = answer.ok ? null : answer.error.message
    if (answer.ok) {
      if (answers.size >= MAX_KEPT) answers.clear()
      answers.set(query, answer.value)
    }
    found.set(found.get() + 1)
    if (answer.ok && wanted !== query) want(wanted)
  }

  /** The answer for the longest beginning of these letters. */
  function nearest(query: string): Answer | undefined {
    for (let length = query.length; length >= 0; length -= 1) {
      const known = answers.get(query.slice(0, length))
      if (known !== undefined) return known
    }
    return undefined
  }

  function want(query: string): void {
    wanted = query
    clearTimeout(timer)
    const known = nearest(query)
    if (isAsking || answers.has(query) || (known !== undefined && !known.isCut && known.entries.length === 0)) return
    timer = setTimeout(() => void ask(wanted), answers.size === 0 ? 0 : PAUSE)
  }

  return {
    found,
    of: (query) => {
      const letters = folded(query)
      const entries = answers.get(query)?.entries ?? nearest(query)?.entries ?? []
      return { entries: entries.filter(({ path }) => hasInOrder(folded(path), letters)), problem }
    },
    want,
    dispose: () => clearTimeout(timer)
  }
}
