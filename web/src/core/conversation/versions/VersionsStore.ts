import {
  decodeHits,
  decodePath,
  decodeShown,
  decodeTips,
  endsIn,
  hitOf,
  type Path,
  type ShownPath,
  type Tip,
  type Versions,
  versionsIn,
  wordsOf
} from "../../../../../src/services/conversations/history/versionRules.ts"
import { type ActionResult, createObservable, type Readable } from "../../common/Observable.ts"
import { failureSentence } from "../../link/GatewayCallError.ts"
import type { GatewayLink } from "../../link/linkTypes.ts"
import type { ChatState, ChatStore } from "../chatTypes.ts"
import { keepsVersions } from "./keepsVersions.ts"

/** Only the places of messages are of interest, so their texts are cut. */
const PAGE = { limit: 1000, maxChars: 1 }
const MAX_HITS = 25

/** The versions of a conversation that aren't on screen, newest first, and the questions they begin at. */
export interface KnownVersions {
  readonly tips: ReadonlyArray<Tip>
  readonly versions: ReadonlyArray<Versions>
}

const NO_VERSIONS: KnownVersions = { tips: [], versions: [] }

type Requests = Pick<GatewayLink, "request">

/** A version's messages: the gateway lists only where it ends, but finds its last words under the id it had then. */
async function searched(link: Requests, sessionKey: string, tip: Tip): Promise<Path | null> {
  const query = wordsOf(tip)
  if (query === null) return null
  const answer = await link.request("sessions.search", { query, sessionKeys: [sessionKey], limit: MAX_HITS })
  const hit = hitOf(tip, decodeHits(answer))
  if (hit === null) return null
  const { messageId, sessionId } = hit
  const path = decodePath(await link.request("chat.history", { sessionKey, sessionId, messageId, ...PAGE }))
  return endsIn(tip, path) ? path : null
}

/** The messages of the version that was on screen before: none if it doesn't share the first one with that on screen. */
async function previous(link: Requests, sessionKey: string, shown: ShownPath): Promise<Path | null> {
  const [first] = shown.steps
  if (first === undefined || shown.previousSessionId === null) return null
  const place = { sessionId: shown.previousSessionId, messageId: first.id }
  return decodePath(await link.request("chat.history", { sessionKey, ...place, ...PAGE }))
}

/**
 * Reads the versions of a conversation. `known` keeps the messages of those that were found: a version doesn't change
 * while another one goes on. One whose messages can't be found is listed, but begins at no question.
 */
async function readVersions(link: Requests, sessionKey: string, known: Map<string, Path>): Promise<KnownVersions> {
  const all = decodeTips(await link.request("sessions.branches.list", { sessionKey }))
  if (all.length === 0) return NO_VERSIONS
  const shown = decodeShown(await link.request("chat.history", { sessionKey, ...PAGE }))
  const tips = all.filter(({ at }) => at > shown.clearedAt)
  for (const tip of tips) {
    if (known.has(tip.leaf)) continue
    const path = await searched(link, sessionKey, tip).catch(() => null)
    if (path !== null) known.set(tip.leaf, path)
  }
  const paths = new Map(known)
  const [left, ...others] = tips.filter(({ leaf }) => !known.has(leaf))
  if (left !== undefined && others.length === 0) {
    const path = await previous(link, sessionKey, shown).catch(() => null)
    if (path !== null && endsIn(left, path)) paths.set(left.leaf, path)
    // The only other version, which doesn't have the first message on screen: it has another one.
    if (path?.length === 0 && tips.length === 1) paths.set(left.leaf, [{ id: left.leaf, at: left.at, seq: 1 }])
  }
  return { tips: tips.toSorted((a, b) => b.at - a.at), versions: versionsIn(shown.steps, tips, paths) }
}

/** What changes when another version came on screen or a turn ended; null while one is running. */
const stand = ({ items, running, status }: ChatState): string | null =>
  running || status !== "ready" ? null : `${items.length} ${items[0]?.key} ${items.at(-1)?.key}`

export interface VersionsStore {
  readonly chat: ChatStore
  readonly known: Readable<KnownVersions>
  /** Goes on with another version; the conversation is read anew when the gateway says that it changed. */
  switchTo(leafEntryId: string): Promise<ActionResult>
  dispose(): void
}

/** The versions of one conversation, read again whenever they may have changed; none on a gateway that has none. */
export function createVersionsStore(link: GatewayLink, chat: ChatStore): VersionsStore {
  const known = createObservable<KnownVersions>(NO_VERSIONS)
  const paths = new Map<string, Path>()
  let last: string | null = null
  let reads = 0
  const sessionKey = chat.state.get().sessionKey

  async function read(): Promise<void> {
    const id = ++reads
    const next = keepsVersions(link) ? await readVersions(link, sessionKey, paths).catch(() => null) : NO_VERSIONS
    if (next !== null && id === reads) known.set(next)
  }

  const stops = [
    chat.state.subscribe((state) => {
      const next = stand(state)
      if (next !== null && next !== last) void read()
      last = next
    }),
    link.hello.subscribe(() => void read())
  ]
  void read()

  return {
    chat,
    known,
    switchTo: async (leafEntryId) => {
      try {
        await link.request("sessions.branches.switch", { sessionKey, leafEntryId })
        return { ok: true, value: true }
      } catch (reason) {
        void read()
        return { ok: false, message: failureSentence(reason) }
      }
    },
    dispose: () => {
      reads++
      for (const stop of stops) stop()
    }
  }
}
