import { Effect, Schema } from "effect"
import type { ConversationHead } from "../../contract/schema/conversation.ts"
import type { GatewayClientShape } from "../gateway/client/GatewayClient.ts"
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
  versionsIn,
  wordsOf
} from "./history/versionRules.ts"

/** Only the places of messages are of interest, so their texts are cut. */
const PAGE = { limit: 1000, maxChars: 1 }
const MAX_HITS = 25

/** The versions of a conversation that aren't on screen, newest first, and the questions they begin at. */
type KnownVersions = Pick<ConversationHead, "tips" | "versions">

export const NO_VERSIONS: KnownVersions = { tips: [], versions: [] }

/**
 * Reads the versions of a session's conversation, by its key at the gateway. The messages of those that were found are
 * kept: a version doesn't change while another one goes on. One whose messages can't be found is listed, but begins at
 * no question.
 */
export const makeVersionReading = (client: GatewayClientShape, sessionKey: string) => {
  const known = new Map<string, Path>()
  const request = (method: string, params: object) => client.request(method, params, Schema.Unknown)

  /** A version's messages: the gateway lists only where it ends, but finds its last words under the id it had then. */
  const searched = Effect.fnUntraced(function* (tip: Tip) {
    const query = wordsOf(tip)
    if (query === null) return undefined
    const answer = yield* request("sessions.search", { query, sessionKeys: [sessionKey], limit: MAX_HITS })
    const hit = hitOf(tip, decodeHits(answer))
    if (hit === null) return undefined
    const { messageId, sessionId } = hit
    const path = decodePath(yield* request("chat.history", { sessionKey, sessionId, messageId, ...PAGE }))
    return endsIn(tip, path) ? path : undefined
  })

  /** The messages of the version that was on screen before: none if it doesn't share the first one with that on screen. */
  const previous = Effect.fnUntraced(function* ({ previousSessionId, steps: [first] }: ShownPath) {
    if (first === undefined || previousSessionId === null) return undefined
    const place = { sessionId: previousSessionId, messageId: first.id }
    return decodePath(yield* request("chat.history", { sessionKey, ...place, ...PAGE }))
  })

  return Effect.gen(function* () {
    const all = decodeTips(yield* request("sessions.branches.list", { sessionKey }))
    if (all.length === 0) return NO_VERSIONS
    const shown = decodeShown(yield* request("chat.history", { sessionKey, ...PAGE }))
    const tips = all.filter(({ at }) => at > shown.clearedAt)
    for (const tip of tips) {
      if (known.has(tip.leaf)) continue
      const path = yield* Effect.orElseSucceed(searched(tip), () => undefined)
      if (path !== undefined) known.set(tip.leaf, path)
    }
    const paths = new Map(known)
    const [left, ...others] = tips.filter(({ leaf }) => !known.has(leaf))
    if (left !== undefined && others.length === 0) {
      const path = yield* Effect.orElseSucceed(previous(shown), () => undefined)
      if (path !== undefined && endsIn(left, path)) paths.set(left.leaf, path)
      // The only other version, which doesn't have the first message on screen: it has another one.
      if (path?.length === 0 && tips.length === 1) paths.set(left.leaf, [{ id: left.leaf, at: left.at, seq: 1 }])
    }
    return { tips: tips.toSorted((a, b) => b.at - a.at), versions: versionsIn(shown.steps, tips, paths) }
  })
}
