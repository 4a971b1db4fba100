import { Console, Effect, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { SearchPage } from "../contract/schema/search.ts"
import { askConsole } from "./askConsole.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings } from "./commandSettings.ts"
import { hasColour } from "./doctor.ts"
import { exitCodes } from "./exitCodes.ts"
import { searchReport } from "./searchReport.ts"

/** What the command line gives. */
export interface SearchFlags {
  readonly words: ReadonlyArray<string>
  readonly kind: Option.Option<string>
  readonly limit: number
  readonly json: boolean
}

/** `agent-console search`: asks the running console; exits with 1 if nothing was found. */
export const search = Effect.fn("search")(
  function* ({ json, kind, limit, words }: SearchFlags) {
    const { svcHome } = yield* loadCommandSettings
    const page = yield* askConsole(svcHome, {
      method: "GET",
      path: "/api/search",
      query: { q: words.join(" "), limit, ...(Option.isSome(kind) ? { kind: kind.value } : {}) },
      answer: SearchPage,
      what: "search",
      exitCode: exitCodes.search
    })
    yield* Console.log(json ? JSON.stringify(page, null, 2) : searchReport(page, hasColour()))
    if (page.hits.length === 0) return yield* new CommandFailure({ message: "", exitCode: exitCodes.nothingFound })
  },
  Effect.provide(FetchHttpClient.layer),
  Effect.catchTags({
    SettingsError: ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })
  })
)
