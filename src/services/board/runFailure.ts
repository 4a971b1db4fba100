const CAUSES: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\b(401|403)\b|unauthori[sz]ed|api key|authentication|credential|permission denied/i,
    "the model's provider refused the gateway's credentials: check the provider's key on the gateway, then run the task again"
  ],
  [
    /\b402\b|billing|quota|credit|insufficient funds/i,
    "the model's provider refused because of billing or quota: check the account, or choose another model"
  ],
  [
    /\b429\b|rate.?limit|too many requests/i,
    "the model's provider limits the rate: wait a little, then run the task again"
  ],
  [
    /context (length|window|overflow)|too (long|large|many tokens)|maximum context/i,
    "the task is too long for this model: shorten it, or choose a model with more context"
  ],
  [
    /model.*(not found|unknown|not supported|does not exist)|unknown model|no such model/i,
    "the gateway could not use the model: choose another one for this task"
  ],
  [/timed? ?out|timeout/i, "the model did not answer in time: run the task again, or choose another model"],
  [
    /overloaded|unavailable|\b5\d\d\b|econn|network|fetch failed|socket/i,
    "the model's provider could not be reached or is overloaded: try again later, or choose another model"
  ]
]

/** What a person can do about a failed run; never the gateway's own text (D18). */
export const runFailure = (text: string | undefined): string =>
  CAUSES.find(([pattern]) => text !== undefined && pattern.test(text))?.[1] ??
  "the agent's run failed: open its session to see how far it came, and the gateway's log for the reason"

export const TIMED_OUT = "timed out after 30 minutes"
export const LOST = "the gateway no longer knows this run, it may have been restarted: run the task again"
