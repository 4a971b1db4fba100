import type { Readable } from "../common/Observable.ts"
import type { WatchedDrafts } from "../composer/DraftStore.ts"
import type { ChatStore } from "../conversation/chatTypes.ts"
import type { Inbox } from "../inbox/createInbox.ts"
import type { ApiClient, ConnectDefaults, EventStream, GatewayName } from "../link/apiTypes.ts"
import type { KeyValueStorage } from "../link/Environment.ts"
import type { LiveLink } from "../link/LiveLink.ts"
import type { GatewayLink, GatewayStatus } from "../link/linkTypes.ts"
import type { Outbox } from "../outbox/createOutbox.ts"
import type { Returned } from "../outbox/outboxTypes.ts"
import type { SessionsStore } from "../sessions/sessionTypes.ts"
import type { SettingsStore } from "../settings/SettingsStore.ts"

/** `unknown` until the server responds; `offline` if it can't be reached. */
export type AuthState = "unknown" | "offline" | "required" | "signedIn" | "notNeeded"

/** How a sign-in ended; `setting` is a line for the console's settings. */
export type SignInFailure = { readonly ok: false; readonly message: string; readonly setting?: string }
export type SignIn = { readonly ok: true } | SignInFailure

/** Everything behind the screens. Made by `createClient()`. */
export interface Client {
  /** The one gateway that it's about; absent for the client of the whole page. */
  readonly gatewayId?: string
  readonly link: GatewayLink
  readonly api: ApiClient
  readonly events: EventStream
  readonly live: LiveLink
  /** The build of this page; empty for one that was built by itself. */
  readonly build: string
  /** Calls back with the build of each answer and connection of the console's own that names one. */
  onBuild(listener: (build: string) => void): () => void
  readonly sessions: SessionsStore
  readonly inbox: Inbox
  readonly outbox: Outbox
  readonly settings: SettingsStore
  readonly drafts: WatchedDrafts
  /** Why the session begun last hasn't the name, model or thinking that was chosen for it; null if it has. */
  readonly refusal: Readable<string | null>
  /** The message given back last: it won't be sent, and stands nowhere until somebody takes it. */
  readonly returned: Readable<Returned | null>
  /** What this browser remembers. */
  readonly storage: KeyValueStorage
  readonly auth: Readable<AuthState>
  readonly connectDefaults: Readable<ConnectDefaults | null>
  readonly gatewayStatus: Readable<GatewayStatus | null>
  /** Whether something between this browser and the console answers in its place. */
  readonly intercepted: Readable<boolean>
  /** All gateways, the primary first; empty while it's the only one, null until that is known. */
  readonly gateways: Readable<ReadonlyArray<GatewayName> | null>
  /** The link to a session's gateway. */
  linkOf(sessionKey: string): GatewayLink
  /** A session's store, created on first use; the ten used last are kept. */
  chat(sessionKey: string): ChatStore
  /** Reads the login state and, if that allows it, connects everything. */
  start(): Promise<void>
  /** Signs in and connects; otherwise returns the failure's sentence, with a line of settings where that would help. */
  /** Why nobody can sign in at this address, known before anybody tries; null where somebody can. */
  refusedAddress(): Promise<SignInFailure | null>
  login(password: string): Promise<SignIn>
  logout(): Promise<void>
  /** What whoever signed out should know, in a sentence; null otherwise. */
  readonly signedOutNote: Readable<string | null>
  dispose(): void
}
