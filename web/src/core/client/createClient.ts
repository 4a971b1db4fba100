import { keyParts, qualifiedKey } from "../../../../src/contract/qualifiedKey.ts"
import type { AuthStatus } from "../../../../src/contract/schema/access.ts"
import { forgetBoard } from "../board/lastBoard.ts"
import { type ActionResult, createObservable } from "../common/Observable.ts"
import { createDrafts } from "../composer/DraftStore.ts"
import { applyChoice, modelChoices } from "../composer/modelChoice.ts"
import type { ChatStore } from "../conversation/chatTypes.ts"
import type { AddedGateways } from "../gateways/addedGateways.ts"
import { createInbox } from "../inbox/createInbox.ts"
import { say } from "../language/say.ts"
import { createApiClient } from "../link/ApiClient.ts"
import type { ApiFailure, ConnectDefaults, GatewayName } from "../link/apiTypes.ts"
import type { Environment } from "../link/Environment.ts"
import { createGatewayLink } from "../link/GatewayLink.ts"
import { mayTryAgain, readGatewayStatus } from "../link/gatewayStatus.ts"
import { createLiveLink } from "../link/LiveLink.ts"
import type { GatewayLink, GatewayStatus } from "../link/linkTypes.ts"
import { createLiveEvents } from "../link/liveEvents.ts"
import { createOutbox } from "../outbox/createOutbox.ts"
import type { Returned } from "../outbox/outboxTypes.ts"
import { createSharedMarks } from "../sessions/MarksStore.ts"
import { createSessionsStore } from "../sessions/SessionsStore.ts"
import { createSettings } from "../settings/SettingsStore.ts"
import type { AuthState, Client, SignIn, SignInFailure } from "./Client.ts"
import { openChat } from "./openChat.ts"

const MAX_CHATS = 10
const AUTH_RETRY = 5_000
const DONE = { ok: true, value: true } as const
/** How often the page looks whether what answers in the console's place has let it through again. */
const INTERCEPTED_RETRY = 5_000
const NOT_KEPT = say(
  "The password is right, but this browser didn't keep the sign-in. Let it keep cookies for this address. If you've opened the console over HTTPS before, open it that way again."
)
const UNKNOWN_ADDRESS = say(
  "The console doesn't know this address yet. Add this line to the console's .env file, or this address to the line that's there, then restart the console."
)

const isSignedOut = ({ authEnabled, authenticated }: AuthStatus): boolean => authEnabled && !authenticated

function loginProblem({ kind, message, retryAfterMs }: ApiFailure): string {
  if (kind === "unauthorized") return say("That password isn't right.")
  if (kind !== "rate_limited" || retryAfterMs === null) return message
  return say("Too many attempts. Try again in {count} s.", { count: Math.max(1, Math.ceil(retryAfterMs / 1_000)) })
}

/** Everything behind the screens, wired up. Nothing happens before `start()`. */
export function createClient(env: Environment, clientVersion = "1.0.0"): Client {
  const api = createApiClient(env)
  const live = createLiveLink(env)
  const events = createLiveEvents(live)
  const auth = createObservable<AuthState>("unknown")
  const signedOutNote = createObservable<string | null>(null)
  const connectDefaults = createObservable<ConnectDefaults | null>(null)
  const gatewayStatus = createObservable<GatewayStatus | null>(null)
  const intercepted = createObservable(false)
  const chats = new Map<string, ChatStore>()
  let retryTimer: ReturnType<typeof setTimeout> | undefined
  let disposed = false

  const linkOptions = {
    env,
    clientVersion,
    needsLogin: async () => {
      const status = await api.authStatus()
      if (!status.ok) throw new Error(status.error.kind)
      return isSignedOut(status.value)
    }
  }
  /** A token that a person has typed and that no gateway has taken yet. */
  let typed: string | null = null
  const relayed = createGatewayLink(linkOptions)
  const link: GatewayLink = {
    ...relayed,
    retryNow: () => {
      live.retryNow()
      relayed.retryNow()
    },
    setToken: (token) => {
      typed = token
      relayed.setToken(token)
    }
  }
  // The console counts wrong tokens, so it's told one that the gateway has taken.
  relayed.state.subscribe(({ phase }) => {
    if (phase !== "ready" || typed === null) return
    api.setToken(typed)
    live.setToken(typed)
    typed = null
  })
  const returned = createObservable<Returned | null>(null)
  const outbox = createOutbox({ api, events, env, prepare: (key) => prepare(key), giveBack: returned.set })
  const inbox = createInbox({ api, events, link, env })
  const gateways = createObservable<ReadonlyArray<GatewayName> | null>(null)
  let added: AddedGateways | null = null
  const linkOf = (key: string) => added?.of(key)?.link ?? link
  const shared = createSharedMarks({ api, events })
  const waits = { waiting: inbox.keys, waitingFailure: inbox.failure, denied: inbox.denied }
  const sessions = createSessionsStore(link, env, { ...waits, linkOf, shared })
  const refusal = createObservable<string | null>(null)

  /** Gives a session what was chosen for it, before its first message. */
  function prepare(sessionKey: string): Promise<ActionResult<unknown>> | null {
    const preparing = sessions.prepare(sessionKey)
    // A session begins without its plan where the gateway refuses that; a message doesn't go to another model.
    const planned = preparing?.then((done) => refusal.set(done.ok ? null : done.message))
    if (!modelChoices.get().has(sessionKey)) return planned?.then(() => DONE) ?? null
    return (planned ?? Promise.resolve()).then(() => applyChoice(sessions, sessionKey))
  }

  /** Connects to gateways that were added, and leaves those that were removed. */
  async function showGateways(all: ReadonlyArray<GatewayName>): Promise<void> {
    if (all.length > 1 && added === null) {
      const { createAddedGateways } = await import("../gateways/addedGateways.ts")
      added ??= createAddedGateways({
        ...linkOptions,
        waits,
        own: sessions,
        shared,
        show: sessions.showOthers
      })
    }
    if (disposed) return
    const moved = added?.show(all.slice(1)) ?? []
    for (const [key, chat] of chats) {
      if (!moved.includes(keyParts(key).gatewayId)) continue
      chat.dispose()
      chats.delete(key)
    }
    gateways.set(added?.named(all) ?? all)
  }

  async function readDefaults(): Promise<void> {
    const defaults = await api.connectDefaults()
    if (!defaults.ok) return
    connectDefaults.set(defaults.value)
    // Without its part, the added ones are left out until the next time.
    await showGateways(defaults.value.gateways).catch(() => gateways.set([]))
  }

  function dropChats(): void {
    for (const chat of chats.values()) chat.dispose()
    chats.clear()
  }

  /** The cookie expired: everything stops and the login page appears. The chats stay for whoever signs in next. */
  function loggedOut(): void {
    if (auth.get() === "required") return
    link.close()
    added?.close()
    events.stop()
    auth.set("required")
  }

  let looking: ReturnType<typeof setTimeout> | undefined
  /** One answer may be a proxy's objection to that request; whether it's in the way of everything shows the next. */
  async function lookBetween(): Promise<void> {
    const status = await api.authStatus()
    looking = undefined
    if (disposed) return
    const isBetween = !status.ok && status.error.kind === "foreign"
    const isNews = isBetween !== intercepted.get()
    intercepted.set(isBetween)
    if (isBetween) return lookAgain(INTERCEPTED_RETRY)
    const isInside = auth.get() === "signedIn" || auth.get() === "notNeeded"
    if (!isNews || !status.ok || !isInside) return
    if (isSignedOut(status.value)) loggedOut()
    else link.retryNow()
  }
  function lookAgain(delay: number): void {
    looking ??= setTimeout(lookBetween, delay)
  }

  api.onForeign(() => lookAgain(0))
  api.onUnauthorized(loggedOut)
  live.onSignedOut(loggedOut)
  link.state.subscribe(({ phase }) => {
    if (phase === "unauthorized") loggedOut()
  })
  const takeStatus = (status: GatewayStatus) => {
    // The same status is repeated whenever a stream opens, and to every new tab; only news makes a page try again.
    if (JSON.stringify(status) === JSON.stringify(gatewayStatus.get())) return
    gatewayStatus.set(status)
    if (mayTryAgain(link.state.get().phase, status)) link.retryNow()
  }
  events.on("status.changed", ({ data }) => takeStatus(readGatewayStatus(data)))

  events.on("gateway.changed", ({ data }) => {
    if (data.action !== "state") void readDefaults()
    const link = added?.of(qualifiedKey(data.id, ""))?.link
    // The console is in, so this page needn't wait for its next attempt, or give up over a token that was changed.
    if (data.gateway?.state === "ok" && link?.state.get().phase !== "connecting") link?.retryNow()
  })

  async function connect(status: AuthStatus): Promise<void> {
    auth.set(status.authEnabled ? "signedIn" : "notNeeded")
    events.start()
    link.connect()
    // The list of sessions waits for them.
    shared.load().catch(() => {})
    added?.connect()
    await readDefaults()
  }

  async function start(): Promise<void> {
    clearTimeout(retryTimer)
    const status = await api.authStatus()
    if (disposed) return
    if (!status.ok) {
      intercepted.set(status.error.kind === "foreign")
      auth.set("offline")
      retryTimer = setTimeout(start, AUTH_RETRY)
    } else if (isSignedOut(status.value)) {
      auth.set("required")
    } else {
      await connect(status.value)
    }
  }

  const unknownAddress: SignInFailure = {
    ok: false,
    message: UNKNOWN_ADDRESS,
    setting: `ALLOWED_ORIGINS=${env.origin}`
  }

  async function login(password: string): Promise<SignIn> {
    const done = await api.login(password)
    if (!done.ok && done.error.kind === "forbidden") return unknownAddress
    if (!done.ok) {
      return { ok: false, message: loginProblem(done.error) }
    }
    const status = await api.authStatus()
    if (status.ok && isSignedOut(status.value)) return { ok: false, message: NOT_KEPT }
    signedOutNote.set(null)
    await connect({ authEnabled: true, authenticated: true })
    return { ok: true }
  }

  return {
    link,
    api,
    events,
    live,
    build: env.build,
    onBuild: (listener) => {
      const stops = [api.onBuild(listener), live.onBuild(listener)]
      return () => {
        for (const stop of stops) stop()
      }
    },
    sessions,
    inbox,
    outbox,
    settings: createSettings(env.storage),
    drafts: createDrafts(env.storage),
    storage: env.storage,
    refusal,
    returned,
    auth,
    connectDefaults,
    gatewayStatus,
    intercepted,
    gateways,
    linkOf,
    chat: (sessionKey) => {
      const known = chats.get(sessionKey)
      const own = added?.of(sessionKey)?.sessions ?? sessions
      const isWorking = async () => {
        await own.refresh()
        return own.find(sessionKey)?.running === true
      }
      const isCut = () => own.wasCutOff(sessionKey)
      const chat = known ?? openChat({ link: linkOf(sessionKey), live, api, env, outbox, sessionKey, isWorking, isCut })
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
    refusedAddress: async () => ((await api.isKnownAddress()) ? null : unknownAddress),
    login,
    signedOutNote,
    logout: async () => {
      const result = await api.logout()
      if (result.ok && !result.value) {
        signedOutNote.set(
          say(
            "You're signed out, but the console couldn't save that: until it can, it only lasts until the console restarts. Check that its disk isn't full."
          )
        )
      }
      loggedOut()
      forgetBoard(env.storage)
      dropChats()
    },
    dispose: () => {
      disposed = true
      clearTimeout(retryTimer)
      clearTimeout(looking)
      events.stop()
      dropChats()
      sessions.dispose()
      inbox.dispose()
      outbox.dispose()
      shared.dispose()
      added?.dispose()
      link.dispose()
    }
  }
}
