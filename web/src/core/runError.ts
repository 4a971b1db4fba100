const KNOWN: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\b(401|403)\b|unauthori[sz]ed|invalid api key|authentication/i,
    "The model's provider refused the gateway's key. Check the key on the gateway."
  ],
  [/\b402\b|insufficient|billing|quota|credit/i, "The model's provider says the account has no credit left."],
  [/\b429\b|rate.?limit|too many requests/i, "The model's provider asks to slow down. Wait a minute, then try again."],
  [
    /context (length|window)|too (long|large)|maximum context|prompt is too/i,
    "The conversation is too long for this model. Start a new session or compact this one."
  ],
  [
    /\b(500|502|503|504|529)\b|overloaded|unavailable/i,
    "The model's provider has a problem right now. Try again in a moment."
  ],
  [/time(d)? ?out|etimedout/i, "The model did not answer in time. Try again."],
  [/econnrefused|enotfound|network|fetch failed|socket/i, "The gateway cannot reach the model's provider."],
  [
    /\b400\b|rejected the request|request (format|schema)|invalid.?request/i,
    "The model's provider did not accept the request. Another model may."
  ],
  [
    /model.*(not found|unknown)|unknown (model|provider)|\b404\b/i,
    "The gateway does not know this session's model. Choose another one."
  ]
]

/** The sentence for a run that failed: the provider's own words stay in the gateway's log. */
export function runErrorSentence(raw: string | null): string {
  const known = KNOWN.find(([pattern]) => pattern.test(raw ?? ""))
  return known?.[1] ?? "The agent could not finish its answer. The gateway's log says why."
}
