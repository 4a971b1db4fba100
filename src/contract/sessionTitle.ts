import { filledText } from "./looseFields.ts"
import { plainTitle } from "./spokenMessage.ts"
import { CUT_ENVELOPE, unwrapped } from "./unwrapped.ts"

/** Characters of a title, as gateways cut theirs. */
const MAX_TITLE = 60

/** Prompts that the gateway itself sends to an agent on a person's behalf. */
const OWN_PROMPT =
  /^(?:A new session was started via \/new or \/reset\b|OpenClaw runtime context \(internal\)|\[Subagent Context\]|\[cron:|\[System\] )/
/** Named after its id and a date: nothing was said in it yet. */
const NAMED_AFTER_ID = /^[0-9a-f]{8}(?: \(\d{4}-\d\d-\d\d\))?$/
/** Random names that newer gateways give if their model has no title to offer. */
const DRAWN_BY_LOT =
  /^[a-z]+-(?:barnacle|claw|crab|crayfish|krill|langoustine|lobster|prawn|shell|shrimp)(?:-[a-z0-9]{1,8}){0,2}$/
const COMMAND = /^\/[a-z_-]+(?:\s|$)/i

/** One line of at most sixty characters, cut between words if that loses little. */
function shortLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim()
  if (line.length <= MAX_TITLE) return line
  const cut = line.slice(0, MAX_TITLE - 1)
  const space = cut.lastIndexOf(" ")
  return `${cut.slice(0, space > MAX_TITLE * 0.6 ? space : undefined).trimEnd()}…`
}

/** A session title from a message; null for a command, or if no person wrote it. */
export function titleOfMessage(text: string): string | null {
  const words = plainTitle(unwrapped(text.trim()).trim())
  if (OWN_PROMPT.test(words) || COMMAND.test(words)) return null
  return filledText(shortLine(words))
}

/** The name a gateway gave a session by itself; null if it says nothing about the conversation. */
export function givenTitle(value: unknown): string | null {
  const text = filledText(value)
  if (text === null) return null
  const words = unwrapped(text.trim())
  const isNoise = [CUT_ENVELOPE, OWN_PROMPT, NAMED_AFTER_ID, DRAWN_BY_LOT].some((noise) => noise.test(words))
  return isNoise ? null : filledText(plainTitle(words))
}

/** The end of a conversation in words; null if there are none a person would read. */
export function previewOf(value: unknown): string | null {
  const text = filledText(value)
  const words = text === null ? "" : plainTitle(unwrapped(text.trim()).trim())
  return CUT_ENVELOPE.test(words) ? null : filledText(words)
}
