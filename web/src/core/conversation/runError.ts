import { type Fields, filledText } from "../common/decode.ts"
import { say } from "../language/say.ts"

const KNOWN: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\b(401|403)\b|unauthori[sz]ed|invalid api key|authentication|^auth\b/i,
    say("The model's provider refused the gateway's key. Check the key on the gateway.")
  ],
  [/\b402\b|insufficient|billing|quota|credit/i, say("The model's provider says the account is out of credit.")],
  [
    /\b429\b|rate.?limit|too many requests/i,
    say("The model's provider is limiting requests. Wait a minute, then try again.")
  ],
  [
    /context (length|window|overflow)|too (long|large)|maximum context|prompt is too/i,
    say("The conversation is too long for this model. Start a new session or compact this one.")
  ],
  [
    /\b(500|502|503|504|529)\b|overloaded|unavailable|server error/i,
    say("The model's provider is having problems. Try again in a moment.")
  ],
  [/time(d)? ?out|etimedout/i, say("The model didn't respond in time. Try again.")],
  [
    /econnrefused|enotfound|network|fetch failed|socket|tls certificate|\bproxy\b/i,
    say("The gateway can't reach the model's provider.")
  ],
  [
    /\b400\b|rejected the request|request (format|schema)|invalid.?request|^(format|schema)$/i,
    say("The model's provider rejected the request. Try another model.")
  ],
  [
    /model.*(not found|unknown)|unknown (model|provider)|\b404\b/i,
    say("The gateway doesn't know this session's model. Choose another one.")
  ]
]

/** Kinds of failure that say nothing. */
const VAGUE = /^(unknown|unclassified|no_error_details)$/

/** The gateway's name for a model, a provider or a kind of failure; nothing longer gets through. */
const nameOf = (value: unknown): string | null => {
  const name = filledText(value)
  return name !== null && /^[\w./:@-]{1,80}$/.test(name) && !VAGUE.test(name) ? name : null
}

/** The sentence for a failed run: the provider's own words stay in the gateway's log. */
export function runErrorSentence(raw: string | null, detail: Fields = {}): string {
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
    ? say("The agent couldn't finish its response. See the gateway's log for details.")
    : kind === undefined
      ? say("The agent couldn't finish its response: {model} failed. See the gateway's log for details.", { model })
      : say("The agent couldn't finish its response: {model} failed ({kind}). See the gateway's log for details.", {
          model,
          kind
        })
}
