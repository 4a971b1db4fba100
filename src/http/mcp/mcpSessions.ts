import { Clock, Deferred, Effect, Option, Schedule, Schema, type Scope, Stream } from "effect"
import { HttpBody, HttpEffect, HttpServerRequest, HttpServerResponse } from "effect/http"
import type { AgentToken } from "../../contract/schema/access.ts"
import { AgentTokens } from "../../services/access/agents/AgentTokens.ts"
import { makeAgentSessions } from "../../services/access/agents/agentSessions.ts"
import { errorResponse } from "../apiResponse.ts"
import { bodyTooLarge } from "../middleware/errors.ts"
import { CurrentCaller, unauthorized } from "./Caller.ts"

/** The same number as of sessions: opening one more ends the oldest. */
const MOST_OF_ONE = 20

type Ending = Deferred.Deferred<void>

/** The answers of agents that stay open. */
const makeAgentStreams = () => {
  const streams = new Map<string, Set<Ending>>()

  const end = (ending: Ending): void => {
    Deferred.doneUnsafe(ending, Effect.void)
  }

  const add = (owner: string): Ending => {
    const ending = Deferred.makeUnsafe<void>()
    const all = streams.get(owner) ?? new Set()
    streams.set(owner, all.add(ending))
    if (all.size > MOST_OF_ONE) {
      for (const oldest of all) {
        all.delete(oldest)
        end(oldest)
        break
      }
    }
    return ending
  }

  const remove = (owner: string, ending: Ending): void => {
    const all = streams.get(owner)
    all?.delete(ending)
    if (all?.size === 0) streams.delete(owner)
  }

  return {
    /** Ends an answer that stays open with its owner's token; any other one is left as it is. */
    bound: Effect.fnUntraced(function* (owner: string, response: HttpServerResponse.HttpServerResponse) {
      const { body } = response
      if (body._tag !== "Stream") return response
      const ending = yield* Effect.acquireRelease(
        Effect.sync(() => add(owner)),
        (added) => Effect.sync(() => remove(owner, added))
      )
      const stream = Stream.interruptWhen(body.stream, Deferred.await(ending))
      return HttpServerResponse.setBody(response, HttpBody.stream(stream, body.contentType, body.contentLength))
    }),
    /** Ends all of an owner's. */
    endAll: (owner: string): void => {
      for (const ending of streams.get(owner) ?? []) end(ending)
    },
    /** Who has some open. */
    owners: (): Iterable<string> => streams.keys()
  }
}

/** A session keeps what its client says of itself, which is a few hundred bytes. */
const MAX_OPENING_BYTES = 16 * 1024

const Opening = Schema.Struct({ method: Schema.Literal("initialize") })
const isOpening = Schema.is(Opening)
const decodeJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** Whether a message to `/mcp` opens a session, or is a batch with such a message. */
const opensSession = (text: string): boolean =>
  Option.match(decodeJson(text), {
    onNone: () => false,
    onSome: (message) => (Array.isArray(message) ? message.some(isOpening) : isOpening(message))
  })

/** Whether a message is larger than one that opens a session may be. */
const isOverOpeningLimit = (text: string): boolean => Buffer.byteLength(text) > MAX_OPENING_BYTES

const Asked = Schema.fromJsonString(Schema.Struct({ id: Schema.Union([Schema.String, Schema.Finite]) }))
const decodeAsked = Schema.decodeUnknownOption(Asked)

/** The code of the range that servers may choose from. */
const REFUSED = -32_000

const HELP: Readonly<Record<number, string>> = {
  400: "The request doesn't fit this version of the protocol. Send one message at a time (lists of messages are only for 2025-03-26), or start a new session with initialize.",
  404: "There's no such session: it has ended, or the console was started again. Start a new session: send initialize without Mcp-Session-Id.",
  503: "The console is stopping or starting again. Wait a moment, then start a new session: send initialize without Mcp-Session-Id."
}

/** A refusal that says what to do, as clients of the protocol show it; `text` is the request's. */
const refusal = (status: number, text = ""): HttpServerResponse.HttpServerResponse => {
  const id = Option.match(decodeAsked(text), { onNone: () => null, onSome: (asked) => asked.id })
  const message = HELP[status] ?? "The console can't answer this request."
  return HttpServerResponse.jsonUnsafe({ jsonrpc: "2.0", id, error: { code: REFUSED, message } }, { status })
}

const FIRST_REFUSAL = 400

/** Clients show nothing but a failure's body, so none is empty. */
const explained = (
  response: HttpServerResponse.HttpServerResponse,
  text: string
): HttpServerResponse.HttpServerResponse =>
  response.status >= FIRST_REFUSAL && response.body._tag === "Empty" ? refusal(response.status, text) : response

const SESSION = "mcp-session-id"
const NO_SESSION = 404
const STOPPING = 503
/** Also when a command on this machine removed a token, its sessions end after this time. */
const LOOK_EVERY = "30 seconds"

type Response = HttpServerResponse.HttpServerResponse
type App<E> = Effect.Effect<Response, E, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** Ends sessions without a caller. */
const nobody: AgentToken = { id: "", name: "console", rights: [], createdAt: 0 }

const toApp = (method: string, headers: Readonly<Record<string, string>>, body?: string) =>
  HttpServerRequest.fromWeb(
    new Request("http://console/mcp", { method, headers, ...(body === undefined ? {} : { body }) })
  )

/**
 * Keeps the sessions of the tools' app, which remembers each with what its client said for as long as it runs: a limited
 * number for each token, each only for the token that opened it, and none that isn't used any more.
 */
export const keepSessions = Effect.fnUntraced(function* <E>(app: App<E>) {
  const tokens = yield* AgentTokens
  const scope = yield* Effect.scope
  const sessions = makeAgentSessions()
  const streams = makeAgentStreams()

  const asCaller = (caller: AgentToken, request: HttpServerRequest.HttpServerRequest) =>
    app.pipe(
      Effect.provideService(CurrentCaller, caller),
      Effect.provideService(HttpServerRequest.HttpServerRequest, request)
    )

  /** By the app's own way of ending one, which ends its calls, too. */
  const end = (ids: ReadonlyArray<string>) =>
    Effect.forEach(ids, (id) => Effect.scoped(asCaller(nobody, toApp("DELETE", { [SESSION]: id }))), {
      discard: true
    }).pipe(Effect.ignoreCause)

  const endAll = (owner: string) =>
    Effect.suspend(() => {
      streams.endAll(owner)
      return end(sessions.endAll(owner))
    })

  const remember = Effect.fnUntraced(function* ({ id: owner }: AgentToken, response: Response) {
    const id = response.headers[SESSION]
    if (id === undefined) return response
    yield* end(sessions.opened(owner, id, yield* Clock.currentTimeMillis))
    if (yield* tokens.isKnown(owner)) return response
    // The token was removed while the session was opened.
    yield* endAll(owner)
    return unauthorized()
  })

  /** In a fiber of its own: a client that leaves at the right moment must not leave an unknown session behind. */
  const open = Effect.fnUntraced(function* (
    caller: AgentToken,
    request: HttpServerRequest.HttpServerRequest,
    text: string
  ) {
    const answer = yield* Deferred.make<Response>()
    yield* HttpEffect.toHandled(asCaller(caller, toApp("POST", request.headers, text)), (_, response) =>
      remember(caller, response).pipe(
        Effect.catch(({ message }) => Effect.succeed(errorResponse(500, "store_failure", message))),
        Effect.flatMap((remembered) => Deferred.succeed(answer, remembered))
      )
    ).pipe(Effect.forkIn(scope))
    return yield* Deferred.await(answer)
  })

  /** Whether the session is the caller's; from then on until the answer has been sent, it's in use. */
  const uses = (caller: AgentToken, id: string) =>
    Effect.acquireRelease(
      Effect.map(Clock.currentTimeMillis, (now) => sessions.begin(caller.id, id, now)),
      (began) => (began ? Effect.flatMap(Clock.currentTimeMillis, (now) => end(sessions.done(id, now))) : Effect.void)
    )

  const look = Effect.gen(function* () {
    yield* end(sessions.endIdle(yield* Clock.currentTimeMillis))
    for (const owner of new Set([...sessions.owners(), ...streams.owners()])) {
      if (!(yield* tokens.isKnown(owner))) yield* endAll(owner)
    }
  }).pipe(Effect.ignore)
  yield* look.pipe(Effect.schedule(Schedule.spaced(LOOK_EVERY)), Effect.forkIn(scope))
  yield* Stream.fromSubscription(yield* tokens.removed).pipe(Stream.runForEach(endAll), Effect.forkIn(scope))

  return Effect.gen(function* () {
    const caller = yield* CurrentCaller
    if (caller === undefined) return unauthorized()
    const request = yield* HttpServerRequest.HttpServerRequest
    const id = request.headers[SESSION]
    // Before the body is read: a session that's in use until then isn't ended under it.
    const isOpen = id === undefined || (yield* uses(caller, id))
    const text = request.method === "POST" ? yield* request.text : ""
    if (!isOpen) return refusal(NO_SESSION, text)
    if (request.method === "POST") {
      const isLarge = isOverOpeningLimit(text)
      if ((isLarge || id === undefined) && opensSession(text)) {
        return isLarge ? bodyTooLarge() : yield* open(caller, request, text)
      }
    }
    // A console that stops interrupts what waits.
    const response = yield* Effect.onInterrupt(app, () => Effect.die(refusal(STOPPING, text)))
    if (id !== undefined && request.method === "DELETE" && response.status === 204) sessions.closed(id)
    return yield* streams.bound(caller.id, explained(response, text))
  })
})
