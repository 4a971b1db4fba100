import { Effect, Schema } from "effect"
import { HttpClientRequest, HttpClientResponse } from "effect/http"
import { readAccess, SECRET_HEADER } from "../services/access/local/readAccess.ts"
import { outgoingHttp } from "../services/platform/outgoing/OutgoingHttp.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { type ExitCode, exitCodes } from "./exitCodes.ts"

const LIMIT = "30 seconds"

const Refusal = Schema.Struct({ details: Schema.optionalKey(Schema.String), error: Schema.String })

/** For when there's no console to ask. */
export const nobody = (exitCode: ExitCode = exitCodes.noConsole) =>
  new CommandFailure({
    message:
      "no console is running that keeps its files in ~/.agent-console, or where SVC_HOME says: start one with `agent-console`, " +
      "or set SVC_HOME in the environment",
    exitCode
  })

/** What a command asks of the running console. */
export interface Asking<A> {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  readonly answer: Schema.Decoder<A>
  /** What couldn't be done, after "the running console couldn't". */
  readonly what: string
  /** For everything but a missing console and bad input. */
  readonly exitCode: ExitCode
  /** For a missing console, if that's another one than usual. */
  readonly withoutConsole?: ExitCode
}

const detailsOf = (response: HttpClientResponse.HttpClientResponse) =>
  HttpClientResponse.schemaBodyJson(Refusal)(response).pipe(
    Effect.map(({ details, error }) => details ?? error.replaceAll("_", " ")),
    Effect.orElseSucceed(() => `it answered with status ${response.status}`)
  )

/** Asks the console that runs in a folder, with the secret in it. */
export const askConsole = Effect.fnUntraced(function* <A>(svcHome: string, asking: Asking<A>) {
  const { answer, body, exitCode, method, path, query = {}, what, withoutConsole } = asking
  const gone = () => nobody(withoutConsole)
  const refuse = (message: string) => new CommandFailure({ message, exitCode })
  const { address, secret } = yield* readAccess(svcHome).pipe(
    Effect.catchTags({ NoAccess: gone, AccessRefused: ({ message }) => refuse(message) })
  )
  const client = yield* outgoingHttp
  const request = HttpClientRequest.make(method)(`${address}${path}`, {
    urlParams: query,
    headers: { [SECRET_HEADER]: secret }
  }).pipe((made) => (body === undefined ? made : HttpClientRequest.bodyJsonUnsafe(made, body)))
  const response = yield* client.execute(request).pipe(
    Effect.mapError(gone),
    Effect.timeoutOrElse({
      duration: LIMIT,
      orElse: () => Effect.fail(refuse("the running console didn't answer within 30 seconds: try again"))
    })
  )
  if (response.status === 401) {
    return yield* refuse(
      "the running console doesn't accept the secret in its folder: restart the console, so that it writes a new one"
    )
  }
  if (response.status === 400) {
    return yield* new CommandFailure({ message: yield* detailsOf(response), exitCode: exitCodes.usage })
  }
  if (response.status >= 300)
    return yield* refuse(`the running console couldn't ${what}: ${yield* detailsOf(response)}`)
  return yield* HttpClientResponse.schemaBodyJson(answer)(response).pipe(
    Effect.mapError(() => refuse("the running console answered in a way this version doesn't understand: restart it"))
  )
})
