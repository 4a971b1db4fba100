import { Console, Effect, FileSystem, Option, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientResponse } from "effect/http"
import { loadPlainSettings } from "../layers/Config.ts"
import { ACCESS_FILE, AccessFile, SECRET_HEADER } from "../services/access/local/accessFile.ts"
import { SearchPage } from "../services/search/searchSchemas.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { hasColour } from "./doctor.ts"
import { exitCodes } from "./exitCodes.ts"
import { searchReport } from "./searchReport.ts"

const LIMIT = "30 seconds"

/** What the command line gives. */
export interface SearchFlags {
  readonly words: ReadonlyArray<string>
  readonly kind: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}

const decodeAccess = Schema.decodeUnknownEffect(AccessFile)
const Refusal = Schema.Struct({ details: Schema.String })

const nobody = () =>
  new CommandFailure({
    message: "no console is running with these settings: start one with `agent-console`, or run this in its folder",
    exitCode: exitCodes.noConsole
  })

const refuse = (message: string) => new CommandFailure({ message, exitCode: exitCodes.search })

const detailsOf = (response: HttpClientResponse.HttpClientResponse) =>
  HttpClientResponse.schemaBodyJson(Refusal)(response).pipe(
    Effect.map(({ details }) => details),
    Effect.orElseSucceed(() => `it answered with status ${response.status}`)
  )

const answerOf = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  if (response.status === 401) {
    return yield* refuse(
      "the running console doesn't accept the secret in its folder: restart the console, so that it writes a new one"
    )
  }
  if (response.status === 400) {
    return yield* new CommandFailure({ message: yield* detailsOf(response), exitCode: exitCodes.usage })
  }
  if (response.status !== 200)
    return yield* refuse(`the running console couldn't search: ${yield* detailsOf(response)}`)
  return yield* HttpClientResponse.schemaBodyJson(SearchPage)(response).pipe(
    Effect.mapError(() => refuse("the running console answered in a way this version doesn't understand: restart it"))
  )
})

const ask = Effect.fnUntraced(function* (svcHome: string, { kind, limit, words }: SearchFlags) {
  const fs = yield* FileSystem.FileSystem
  const text = yield* fs.readFileString(`${svcHome}/${ACCESS_FILE}`).pipe(Effect.mapError(nobody))
  const { address, secret } = yield* decodeAccess(text).pipe(
    Effect.mapError(() => refuse(`${ACCESS_FILE} in the console's folder is damaged: restart the console`))
  )
  const client = yield* HttpClient.HttpClient
  return yield* client
    .get(`${address}/api/search`, {
      urlParams: { q: words.join(" "), limit, ...(Option.isSome(kind) ? { kind: kind.value } : {}) },
      headers: { [SECRET_HEADER]: secret }
    })
    .pipe(Effect.mapError(nobody), Effect.flatMap(answerOf), Effect.timeoutOrElse({ duration: LIMIT, orElse: silent }))
})

const silent = () => Effect.fail(refuse("the running console didn't answer within 30 seconds: try again"))

/** `agent-console search`: asks the running console; exits with 1 if nothing was found. */
export const search = Effect.fn("search")(
  function* (flags: SearchFlags) {
    const { svcHome } = yield* loadPlainSettings
    const page = yield* ask(svcHome, flags)
    yield* Console.log(flags.json ? JSON.stringify(page, null, 2) : searchReport(page, hasColour()))
    if (page.hits.length === 0) return yield* new CommandFailure({ message: "", exitCode: exitCodes.nothingFound })
  },
  Effect.provide(FetchHttpClient.layer),
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })
  })
)
