/** Why something on the board, in the inbox or of a run failed. */
export const BOARD_FAILURES = {
  NO_ACTIVE_RUN: "the task has no active run",
  NOT_IN_REVIEW: "the task isn't in review",
  TOO_MANY_COMMENTS: "a task keeps at most {max} comments: delete some first",
  TOO_MANY_VIEWS: "a board keeps at most {max} views: delete one first",
  PROPOSED_TASK_GONE: "this proposal's task no longer exists: reject the proposal",
  PROPOSED_CARD_GONE: "this proposal's card no longer exists: reject the proposal",
  CARD_GATEWAY_REMOVED: "the card's gateway was removed: choose another one on the card",
  ITEM_NOT_FOUND: "There's no such item: items that have ended are kept for 30 days.",
  NO_SUCH_OPTION: "there's no such option",
  CHOOSE_AN_OPTION: "choose one of the options",
  ONE_ANSWER_ONLY: "takes one answer only",
  NOT_A_QUESTION: "isn't one of the questions",
  DATABASE_FAILED: "couldn't read or write the board's database: the console's log has the cause",
  DATABASE_UNREACHABLE: "the board's database can't be reached: the console keeps trying",
  DATABASE_BUSY: "the board's database is busy: try again in a moment",
  DATABASE_SLOW: "the board's database took too long to answer: try again in a moment",
  RUN_CREDENTIALS_REJECTED:
    "{theProvider} rejected the gateway's credentials: check the provider's API key on the gateway, then run the task again",
  RUN_PROVIDER_PAUSED:
    "the gateway is pausing requests to {theProvider} after its key or account was rejected: check both, then run the task again",
  RUN_GATEWAY_RELOADING: "the gateway was reloading its settings: run the task again",
  RUN_BILLING:
    "{theProvider} rejected the request because of billing or quota: check the account, or choose another model",
  RUN_RATE_LIMITED: "{theProvider} is rate limiting requests: wait a moment, then run the task again",
  RUN_TASK_TOO_LONG: "the task is too long for {theModel}: shorten it, or choose a model with more context",
  RUN_MODEL_UNUSABLE: "the gateway couldn't use {theModel}: choose another model for this task",
  RUN_REQUEST_REJECTED: "{theProvider} rejected the request for {theModel}: choose another model for this task",
  RUN_MODEL_TIMEOUT: "{theModel} didn't respond in time: run the task again, or choose another model",
  RUN_PROVIDER_UNAVAILABLE: "{theProvider} can't be reached or is overloaded: try again later, or choose another model",
  RUN_PROVIDER_CERTIFICATE:
    "the gateway doesn't trust the certificate of {theProvider}: check the provider's address on the gateway",
  RUN_SESSION_LOST: "the gateway couldn't continue the task's session: run the task again",
  RUN_EMPTY_ANSWER: "{theModel} gave no answer: run the task again, or choose another model",
  RUN_FAILED:
    "the agent's run failed: open its session to see how far it got, and check the gateway's log for the reason",
  RUN_FAILED_AT: "the agent's run failed at {at}: run the task again, or choose another model",
  MODEL_NOT_OFFERED: "The gateway does not offer the chosen model: it goes on with its own default instead of {model}.",
  MODEL_REPLACED: "The gateway doesn't have the model {model}, so this run used its default, {own}.",
  MODEL_REPLACED_BY_DEFAULT: "The gateway doesn't have the model {model}, so this run used its default.",
  COMMAND_DENIED: "The command “{command}” wasn't allowed.",
  COMMAND_EXPIRED: "Nobody allowed the command “{command}” in time.",
  RUN_TIMED_OUT: "timed out after 30 minutes",
  RUN_LOST: "the gateway no longer knows this run, probably because it restarted: run the task again",
  RUN_GATEWAY_REMOVED: "its gateway was removed from this console",
  RUN_CONSOLE_GONE: "the console that ran this task is gone, and this console's gateway doesn't know its session"
} as const
