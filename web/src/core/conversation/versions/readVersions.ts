import type { GatewayLink } from "../../link/linkTypes.ts"
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
} from "./versionRules.ts"

/** Only the places of messages are of interest, so their texts are cut. */
const PAGE = { limit: 1000, maxChars: 1 }
const MAX_HITS = 25

/** The versions of a conversation that aren't on screen, newest first, and the questions they begin at. */
export interface KnownVersions {
  readonly tips: ReadonlyArray<Tip>
  readonly versions: ReadonlyArray<Versions>
}

export const NO_VERSIONS: KnownVersions = { tips: [], versions: [] }

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
export async function readVersions(
  link: Requests,
  sessionKey: string,
  known: Map<string, Path>
): Promise<KnownVersions> {
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
