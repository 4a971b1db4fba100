import type { FailReason } from "./chat/failures.ts"
import type { Message } from "./sessions/messages.ts"
import type { ViewPurpose } from "./sessions/messageView.ts"
import type { Session, SessionStore } from "./sessions/SessionStore.ts"
import type { RowOptions } from "./sessions/sessionRow.ts"
import type { JsonObject } from "./wire/frames.ts"
import type { GatewayRefusal } from "./wire/GatewayRefusal.ts"

/**
 * What differs between the gateway's generations. `newerGeneration.ts` is the one that the demo speaks; the older one is
 * below `older`, for tests. It behaves as these fields say, and its frames are translations of the newer ones.
 */
export interface Generation {
  readonly name: "old" | "new"
  readonly version: string
  readonly protocol: number
  /** How long a client may take to send `connect`. */
  readonly connectTimeoutMs: number
  /** Longest text in `chat.history` before it is cut, unless `maxChars` says otherwise. */
  readonly historyMaxChars: number
  /** Shortest time between two streamed `agent` assistant events; 0 sends every token. */
  readonly assistantIntervalMs: number
  /** Shortest time between two `chat` deltas. */
  readonly deltaIntervalMs: number
  /** How long a command waits for approval. */
  readonly approvalTimeoutMs: number
  /** Rows of `sessions.list` without a `limit`. */
  readonly listLimit: number
  /** Where it says that sessions are stored. */
  readonly storePath: string
  /** The agents' files that it lists, in its order. */
  readonly agentFiles: ReadonlyArray<string>
  /** Longest message in characters that fits the model. */
  readonly maxPrompt: number
  /** What stands between two texts of one turn. */
  readonly betweenTexts: string
  /** Levels of thinking that it takes for every model; without them each model's own. */
  readonly thinkingLevels?: ReadonlyArray<string>
  /** What it reports and stores for a failed turn. */
  readonly failures: Readonly<Record<FailReason, { readonly reported: string; readonly stored: string }>>

  /** Methods it doesn't have. */
  readonly lacks: ReadonlySet<string>
  /** Methods that always need `operator.admin`. */
  readonly adminOnly: ReadonlySet<string>
  /** Top-level params that a method refuses or needs, besides its schema. */
  readonly params: Readonly<
    Record<string, { readonly unknown?: ReadonlyArray<string>; readonly required?: ReadonlyArray<string> }>
  >

  /** Pings its connections. */
  readonly pings: boolean
  /** Refuses too many changes a minute. */
  readonly limitsWrites: boolean
  /** Tells of connections that come and go, and of device requests that another replaced. */
  readonly announcesPresence: boolean
  /** Numbers events for some connections too. */
  readonly numbersEveryEvent: boolean
  /** The fields of an event's frame after its payload. */
  readonly eventSuffix: string
  /** Counts as local only who names a loopback host. */
  readonly checksHost: boolean
  /** Gives scopes to local programs without a device. */
  readonly trustsLocalPrograms: boolean
  /** Takes a device's open request for a new one only if the scopes are the same. */
  readonly wantsSameScopes: boolean
  /** Names the pairing request in the reason of a close. */
  readonly namesRequests: boolean
  /** Closes a removed device's connections, and shows a new token only to its own device. */
  readonly guardsDevices: boolean
  /** Asks for approval only those who said that they can show it. */
  readonly approvalsNeedCap: boolean
  /** Tells of approvals that ran out, and remembers how they ended. */
  readonly followsApprovals: boolean
  /** Serves files and `/startupz`, takes a tool's `name`, and refuses forwarded headers. */
  readonly hasFullHttp: boolean
  /** Has a tool for jobs. */
  readonly hasCronTool: boolean
  /** Checks jobs only when they are used. */
  readonly hasLaxJobs: boolean
  /** Refuses a patch of the settings that empties lists it does not name. */
  readonly guardsLists: boolean
  /** Takes only models of providers it knows. */
  readonly checksModels: boolean
  /** A session that a person creates belongs to the agent's main one. */
  readonly linksSessions: boolean
  /** A reset keeps the session's id, and `/new` is answered without the model. */
  readonly resetsInPlace: boolean
  /** Counts its own notes as answers, and one agent's sessions unless all are asked for. */
  readonly countsPerAgent: boolean
  /** Has a new session's history only after its first answer. */
  readonly writesLate: boolean
  /** An abort ends every kind of run, not only those of `chat.send`. */
  readonly abortsEveryKind: boolean
  /** `agent` and `agent.wait` say how a run ended. */
  readonly tellsEnds: boolean
  /** An abort, a note in the transcript and a stop of the gateway end turns for good, with what waits behind them. */
  readonly storesEnds: boolean
  /** Hands a message to the running turn. */
  readonly steers: boolean
  /** Keeps an aborted answer as the model's own message too. */
  readonly keepsAborted: boolean
  /** Leaves a sub-agent's completion out of the transcript. */
  readonly hidesAnnouncements: boolean
  /** Stores text and tool call as messages of their own. */
  readonly splitsCalls: boolean
  /** Stores a failure as text. */
  readonly writesFailures: boolean
  /** Sub-agents are started by a tool within a tool. */
  readonly wrapsSpawns: boolean
  /** Announces every stored message as a change of the session too. */
  readonly announcesMessages: boolean

  /** A message; texts over `maxChars` are cut. */
  readonly message: (message: Message, purpose: ViewPurpose, maxChars?: number) => JsonObject
  /** What a message is kept as. */
  readonly storedText: (message: Message) => string
  /** A session as `sessions.list` and the session events show it. */
  readonly row: (session: Session, store: SessionStore, now: number, options?: RowOptions) => JsonObject
  /** What events repeat of a row beside it. */
  readonly facts: (row: JsonObject) => JsonObject
  /** What a history says of its session. */
  readonly historyFacts: (session: Session | undefined) => JsonObject
  /** The newer generation's `hello-ok` in its words; `health` is for those that have it there. */
  readonly hello: (hello: JsonObject, health: () => JsonObject) => JsonObject
  /** The newer generation's answer of a method in its words. */
  readonly answer: (method: string, payload: unknown) => unknown
  /** The newer generation's event in its words; `undefined` for one it doesn't have. */
  readonly event: (event: string, payload: JsonObject) => JsonObject | undefined
  /** The newer generation's refusal in its words. */
  readonly refusal: (refusal: GatewayRefusal) => GatewayRefusal
}
