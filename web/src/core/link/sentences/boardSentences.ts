import { serverSaid } from "./serverSaid.ts"

/** About cards, proposals, what waits for people, and why a run failed. */
export const BOARD_SENTENCES: ReadonlyArray<string> = [
  serverSaid("the task has no active run"),
  serverSaid("the task isn't in review"),
  serverSaid("a task keeps at most {max} comments: delete some first"),
  serverSaid("a board keeps at most {max} views: delete one first"),
  serverSaid("this proposal's task no longer exists: reject the proposal"),
  serverSaid("this proposal's card no longer exists: reject the proposal"),
  serverSaid("the card's gateway was removed: choose another one on the card"),
  serverSaid("There's no such item: items that have ended are kept for 30 days."),
  serverSaid("there's no such option"),
  serverSaid("choose one of the options"),
  serverSaid("takes one answer only"),
  serverSaid("isn't one of the questions"),
  serverSaid("couldn't read or write the board's database: the console's log has the cause"),
  serverSaid("the board's database can't be reached: the console keeps trying"),
  serverSaid("the board's database is busy: try again in a moment"),
  serverSaid("the board's database took too long to answer: try again in a moment"),
  serverSaid(
    "{provider} rejected the gateway's credentials: check the provider's API key on the gateway, then run the task again"
  ),
  serverSaid(
    "the gateway is pausing requests to {provider} after its key or account was rejected: check both, then run the task again"
  ),
  serverSaid("the gateway was reloading its settings: run the task again"),
  serverSaid("{provider} rejected the request because of billing or quota: check the account, or choose another model"),
  serverSaid("{provider} is rate limiting requests: wait a moment, then run the task again"),
  serverSaid("the task is too long for {model}: shorten it, or choose a model with more context"),
  serverSaid("the gateway couldn't use {model}: choose another model for this task"),
  serverSaid("{provider} rejected the request for {model}: choose another model for this task"),
  serverSaid("{model} didn't respond in time: run the task again, or choose another model"),
  serverSaid("{provider} can't be reached or is overloaded: try again later, or choose another model"),
  serverSaid("the gateway doesn't trust the certificate of {provider}: check the provider's address on the gateway"),
  serverSaid("the gateway couldn't continue the task's session: run the task again"),
  serverSaid("{model} gave no answer: run the task again, or choose another model"),
  serverSaid(
    "the agent's run failed: open its session to see how far it got, and check the gateway's log for the reason"
  ),
  serverSaid("the agent's run failed at {at}: run the task again, or choose another model"),
  serverSaid("The gateway does not offer the chosen model: it goes on with its own default instead of {model}."),
  serverSaid("The gateway doesn't have the model {model}, so this run used its default, {own}."),
  serverSaid("The gateway doesn't have the model {model}, so this run used its default."),
  serverSaid("The command “{command}” wasn't allowed."),
  serverSaid("Nobody allowed the command “{command}” in time."),
  serverSaid("timed out after 30 minutes"),
  serverSaid("the gateway no longer knows this run, probably because it restarted: run the task again"),
  serverSaid("its gateway was removed from this console"),
  serverSaid("the console that ran this task is gone, and this console's gateway doesn't know its session")
]
