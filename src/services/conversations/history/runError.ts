import type { Failure } from "../../../contract/failure.ts"
import { conversationFailure } from "../../../contract/failures/conversation.ts"
import { type Fields, filledText } from "../../../contract/looseFields.ts"

const KNOWN: ReadonlyArray<readonly [RegExp, Failure]> = [
  [
    /\b(401|403)\b|unauthori[sz]ed|invalid api key|authentication|^auth\b/i,
    conversationFailure("RESPONSE_KEY_REFUSED")
  ],
  [/\b402\b|insufficient|billing|quota|credit/i, conversationFailure("RESPONSE_NO_CREDIT")],
  [/\b429\b|rate.?limit|too many requests/i, conversationFailure("RESPONSE_RATE_LIMITED")],
  [
    /context (length|window|overflow)|too (long|large)|maximum context|prompt is too/i,
    conversationFailure("RESPONSE_TOO_LONG")
  ],
  [/\b(500|502|503|504|529)\b|overloaded|unavailable|server error/i, conversationFailure("RESPONSE_PROVIDER_FAILED")],
  [/time(d)? ?out|etimedout/i, conversationFailure("RESPONSE_TIMED_OUT")],
  [
    /econnrefused|enotfound|network|fetch failed|socket|tls certificate|\bproxy\b/i,
    conversationFailure("RESPONSE_PROVIDER_UNREACHABLE")
  ],
  [
    /\b400\b|rejected the request|request (format|schema)|invalid.?request|^(format|schema)$/i,
    conversationFailure("RESPONSE_REQUEST_REJECTED")
  ],
  [/model.*(not found|unknown)|unknown (model|provider)|\b404\b/i, conversationFailure("RESPONSE_UNKNOWN_MODEL")]
]

/** Kinds of failure that say nothing. */
const VAGUE = /^(unknown|unclassified|no_error_details)$/

/** The gateway's name for a model, a provider or a kind of failure; nothing longer gets through. */
const nameOf = (value: unknown): string | null => {
  const name = filledText(value)
  return name !== null && /^[\w./:@-]{1,80}$/.test(name) && !VAGUE.test(name) ? name : null
}

/** Why a run failed: the provider's own words stay in the gateway's log. */
export function runErrorOf(raw: string | null, detail: Fields = {}): Failure {
  const kinds = [nameOf(detail.failoverReason), nameOf(detail.providerRuntimeFailureKind)].filter(
    (kind) => kind !== null
  )
  const clues = [...kinds.map((kind) => kind.replaceAll("_", " ")), raw ?? ""]
  for (const clue of clues) {
    const known = KNOWN.find(([pattern]) => pattern.test(clue))
    if (known !== undefined) return known[1]
  }
  const model = [nameOf(detail.provider), nameOf(detail.model)].filter((name) => name !== null).join("/")
  const kind = kinds[0] === undefined ? undefined : clues[0]
  return model === ""
    ? conversationFailure("RESPONSE_FAILED")
    : kind === undefined
      ? conversationFailure("RESPONSE_MODEL_FAILED", { model })
      : conversationFailure("RESPONSE_MODEL_FAILED_AS", {
          model,
          kind
        })
}
