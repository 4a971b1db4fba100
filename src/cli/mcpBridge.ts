import {
  Config,
  Effect,
  Exit,
  FiberSet,
  type FileSystem,
  Option,
  type Redacted,
  Ref,
  Schema,
  Semaphore,
  Stdio,
  Stream
} from "effect"
import { FetchHttpClient, HttpClientRequest, type HttpClientResponse } from "effect/http"
import { readAccess } from "../services/access/local/readAccess.ts"
import { isRedirect, outgoingHttp } from "../services/platform/outgoing/OutgoingHttp.ts"
import { nobody } from "./askConsole.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings } from "./commandSettings.ts"
import { exitCodes } from "./exitCodes.ts"

const Message = Schema.Struct({
  id: Schema.optionalKey(Schema.Union([Schema.String, Schema.Finite])),
  method: Schema.optionalKey(Schema.String)
})
type Message = typeof Message.Type
const decodeMessage = Schema.decodeUnknownOption(Schema.fromJsonString(Message))

/** Of the range that servers choose their own codes from. */
const BRIDGE_ERROR = -32_000
const PARSE_ERROR = -32_700
const SESSION = "mcp-session-id"
const VERSION = "mcp-protocol-version"

const failureOf = (id: Message["id"] | null, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })

const away = (url: string) =>
  new CommandFailure({
    message: `couldn't reach the console at ${url}. Start it, or set --url`,
    exitCode: exitCodes.noConsole
  })

const Negotiated = Schema.fromJsonString(Schema.Struct({ result: Schema.Struct({ protocolVersion: Schema.String }) }))
const decodeNegotiated = Schema.decodeUnknownOption(Negotiated)

/** The messages in a response: one in JSON, or several as a stream of events. */
const messagesIn = (contentType: string, body: string): ReadonlyArray<string> =>
  contentType.startsWith("text/event-stream")
    ? body.split(/\r?\n/).flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trim()] : []))
    : [body.replaceAll(/\r?\n/g, "").trim()]

const refusalOf = (status: number): string => {
  if (isRedirect(status)) return "The console's address answers with a redirect. Set --url to the address it leads to."
  if (status === 401)
    return "The console doesn't accept this token. Create one in its settings, under Agents, and set AGENT_CONSOLE_TOKEN."
  if (status === 429) return "Too many calls. Wait a minute, then go on."
  if (status === 413) return "The message is too large. Send at most 1 MB."
  return `The console answered with status ${status}.`
}

interface Session {
  readonly headers: Readonly<Record<string, string>>
  /** What the client opened it with; undefined before that. */
  readonly opening: string | undefined
}

const sentence = (message: string): string => `${message.charAt(0).toUpperCase()}${message.slice(1)}.`

/**
 * Speaks the Model Context Protocol over stdin and stdout, and passes every message on to the console at `target`, which
 * may be another address after a restart.
 */
export const bridgeTo = Effect.fnUntraced(function* (
  target: Effect.Effect<string, CommandFailure>,
  token: Redacted.Redacted
) {
  const client = yield* outgoingHttp
  const stdio = yield* Stdio.Stdio
  const session = yield* Ref.make<Session>({ headers: {}, opening: undefined })
  const output = yield* Semaphore.make(1)
  const running = yield* FiberSet.make<void>()

  const write = (line: string) =>
    Stream.run(Stream.make(`${line}\n`), stdio.stdout({ endOnDone: false })).pipe(output.withPermit, Effect.orDie)

  const send = Effect.fnUntraced(function* (body: string) {
    const { headers } = yield* Ref.get(session)
    const url = yield* target
    const request = HttpClientRequest.post(`${url}/mcp`).pipe(
      HttpClientRequest.bearerToken(token),
      HttpClientRequest.setHeaders({ accept: "application/json, text/event-stream", ...headers }),
      HttpClientRequest.bodyText(body, "application/json")
    )
    return yield* client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ response, text }))),
      Effect.mapError(() => away(url))
    )
  })

  /** Opens a session and remembers it. */
  const open = Effect.fnUntraced(function* (body: string) {
    yield* Ref.set(session, { headers: {}, opening: body })
    const opened = yield* send(body)
    const id = opened.response.headers[SESSION]
    const version = decodeNegotiated(opened.text)
    if (id !== undefined && Option.isSome(version))
      yield* Ref.set(session, {
        headers: { [SESSION]: id, [VERSION]: version.value.result.protocolVersion },
        opening: body
      })
    return opened
  })

  /** Opens the session again that a console which was restarted doesn't know any more. */
  const openAgain = Effect.fnUntraced(function* (opening: string) {
    yield* open(opening)
    yield* send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }))
  })

  const exchange = Effect.fnUntraced(function* (line: string, { method }: Message) {
    if (method === "initialize") return yield* open(line)
    const first = yield* send(line)
    const { opening } = yield* Ref.get(session)
    if (first.response.status !== 404 || opening === undefined) return first
    yield* openAgain(opening)
    return yield* send(line)
  })

  const answer = (message: Message, response: HttpClientResponse.HttpClientResponse, text: string) => {
    const type = response.headers["content-type"] ?? ""
    if (response.status < 300) return messagesIn(type, text).filter((line) => line !== "")
    return message.id === undefined ? [] : [failureOf(message.id, BRIDGE_ERROR, refusalOf(response.status))]
  }

  const pass = (line: string, message: Message) =>
    exchange(line, message).pipe(
      Effect.map(({ response, text }) => answer(message, response, text)),
      Effect.catchTag("CommandFailure", (failure) =>
        Effect.succeed(message.id === undefined ? [] : [failureOf(message.id, BRIDGE_ERROR, sentence(failure.message))])
      ),
      Effect.flatMap((lines) => Effect.forEach(lines, write, { discard: true }))
    )

  /** A call may wait for a person; what opens the session and what only notifies keeps its place. */
  const take = (line: string) =>
    Option.match(decodeMessage(line), {
      onNone: () => write(failureOf(null, PARSE_ERROR, "This line isn't a JSON-RPC message.")),
      onSome: (message) =>
        message.id === undefined || message.method === "initialize"
          ? pass(line, message)
          : Effect.asVoid(FiberSet.run(running, pass(line, message)))
    })

  yield* stdio.stdin.pipe(
    Stream.decodeText(),
    Stream.splitLines,
    Stream.filter((line) => line.trim() !== ""),
    Stream.runForEach(take),
    Effect.orDie
  )
  yield* FiberSet.awaitEmpty(running)
})

const Token = Config.Redacted("AGENT_CONSOLE_TOKEN")

/** The console that's running on this machine. */
const runningConsole = Effect.gen(function* () {
  const { svcHome } = yield* loadCommandSettings
  return (yield* readAccess(svcHome)).address
}).pipe(
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings }),
    NoAccess: () => nobody(),
    AccessRefused: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.noConsole })
  })
)

/** `agent-console mcp`: without a console, it reports that to each caller, and at the end if there never was one. */
export const bridge = Effect.fn("bridge")(
  function* ({ url }: { readonly url: Option.Option<string> }) {
    const token = yield* Effect.mapError(
      Token,
      () =>
        new CommandFailure({
          message: "set AGENT_CONSOLE_TOKEN to a token from the console's settings, under Agents",
          exitCode: exitCodes.settings
        })
    )
    const files = yield* Effect.context<FileSystem.FileSystem>()
    const target = Option.match(url, {
      onNone: () => Effect.provideContext(runningConsole, files),
      onSome: (given) => Effect.succeed(given.replace(/\/+$/, ""))
    })
    const first = yield* Effect.exit(target)
    const wasThere = yield* Ref.make(Exit.isSuccess(first))
    yield* bridgeTo(Effect.tap(target, Ref.set(wasThere, true)), token)
    if (!(yield* Ref.get(wasThere))) yield* first
  },
  Effect.scoped,
  Effect.provide(FetchHttpClient.layer)
)
