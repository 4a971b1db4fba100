import { createApiClient } from "./ApiClient.ts"
import { createApprovalsStore } from "./ApprovalsStore.ts"
import { createChatStore } from "./ChatStore.ts"
import type { ChatStore } from "./chatTypes.ts"
import { createDrafts } from "./DraftStore.ts"
import { fieldsOf, filledText, numberOf } from "./decode.ts"
import type { Environment } from "./Environment.ts"
import { createEventStream } from "./EventStream.ts"
import { createGatewayLink } from "./GatewayLink.ts"
import { Observable } from "./Observable.ts"
import { createSessionsStore } from "./SessionsStore.ts"
import { createSettings } from "./SettingsStore.ts"
import type {
  ActionResult,
  ApiFailure,
  AuthState,
  AuthStatus,
  ConnectDefaults,
  Console,
  GatewayStatus
} from "./types.ts"

const MAX_CHATS = 10
const AUTH_RETRY = 5_000

function loginProblem({ status, kind, message, retryAfterMs }: ApiFailure): string {
  if (status === 401) return "That password is not right."
  if (kind !== "rate_limited" || retryAfterMs === null) return message
  return `Too many attempts. Try again in ${Math.max(1, Math.ceil(retryAfterMs / 1_000))} s.`
}

/** Everything behind the screens, wired. Nothing happens before `start()`. */
export function createConsole(env: Environment, clientVersion = "1.0.0"): Console {
  const api = createApiClient(env)
  const events = createEventStream(env)
  const auth = new Observable<AuthState>("unknown")
  const connectDefaults = new Observable<ConnectDefaults | null>(null)
  const gatewayStatus = new Observable<GatewayStatus | null>(null)
  const chats = new Map<string, ChatStore>()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let disposed = false

  const link = createGatewayLink({
    env,
    clientVersion,
    needsLogin: async () => {
      const status = await api.authStatus()
      return status.ok && status.value.authEnabled && !status.value.authenticated
    }
  })
  const approvals = createApprovalsStore(link, env)
  const sessions = createSessionsStore(link, env, approvals.waitingKeys)

  function dropChats(): void {
    for (const chat of chats.values()) chat.dispose()
    chats.clear()
  }

  /** The cookie ended: everything stops and the login page comes. The chats stay for whoever signs in again. */
  function loggedOut(): void {
    if (auth.get() === "required") return
    link.close()
    events.stop()
    auth.set("required")
  }

  api.onUnauthorized(loggedOut)
  link.state.subscribe(({ phase }) => {
    if (phase === "unauthorized") loggedOut()
  })
  events.on("status.changed", ({ data }) => {
    const { gateway, since, reason } = fieldsOf(data)
    if (gateway !== "ok" && gateway !== "unreachable") return
    gatewayStatus.set({ gateway, since: numberOf(since) ?? env.now(), reason: filledText(reason) })
    if (gateway === "ok" && link.state.get().phase === "waiting") link.retryNow()
  })

  async function connect(status: AuthStatus): Promise<void> {
    auth.set(status.authEnabled ? "signedIn" : "notNeeded")
    events.start()
    link.connect()
    const defaults = await api.connectDefaults()
    if (defaults.ok) connectDefaults.set(defaults.value)
  }

  async function start(): Promise<void> {
    clearTimeout(retryTimer)
    const status = await api.authStatus()
    if (disposed) return
    if (!status.ok) {
      auth.set("offline")
      retryTimer = setTimeout(start, AUTH_RETRY)
    } else if (status.value.authEnabled && !status.value.authenticated) {
      auth.set("required")
    } else {
      await connect(status.value)
    }
  }

  async function login(password: string): Promise<ActionResult> {
    const done = await api.login(password)
    if (!done.ok) {
      return { ok: false, message: loginProblem(done.error) }
    }
    await connect({ authEnabled: true, authenticated: true })
    return { ok: true, value: true }
  }

  return {
    link,
    api,
    events,
    sessions,
    approvals,
    settings: createSettings(env.storage),
    drafts: createDrafts(env.storage),
    auth,
    connectDefaults,
    gatewayStatus,
    chat: (sessionKey) => {
      const known = chats.get(sessionKey)
      const isWorking = async () => {
        await sessions.refresh()
        return sessions.find(sessionKey)?.state === "working"
      }
      const chat = known ?? createChatStore({ link, env, sessionKey, isWorking })
      chats.delete(sessionKey)
      chats.set(sessionKey, chat)
      const oldest = chats.entries().next().value
      if (chats.size > MAX_CHATS && oldest !== undefined) {
        oldest[1].dispose()
        chats.delete(oldest[0])
      }
      return chat
    },
    start,
    login,
    logout: async () => {
      await api.logout()
      loggedOut()
      dropChats()
    },
    dispose: () => {
      disposed = true
      clearTimeout(retryTimer)
      events.stop()
      dropChats()
      sessions.dispose()
      approvals.dispose()
      link.dispose()
    }
  }
}
