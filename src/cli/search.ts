import { Console, Effect, Option } from "effect"
import { FetchHttpClient } from "effect/http"
import { type SearchHit, SearchPage } from "../contract/schema/search.ts"
import { askConsole } from "./askConsole.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { loadCommandSettings } from "./commandSettings.ts"
import { hasColour } from "./doctor.ts"
import { exitCodes } from "./exitCodes.ts"

const BOLD = "\u001b[1m"
const PLAIN = "\u001b[0m"
/** Agents' texts may contain what a terminal takes for commands, or what turns a line around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const TIME = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" })

const KINDS = { message: "message", task: "card", memory: "memory", document: "document", log: "log" } as const

const printable = (text: string) => text.replace(UNPRINTABLE, " ")

const whereOf = ({ agent, path, role, sessionKey, sessionTitle, taskId }: SearchHit): string =>
  [sessionTitle ?? sessionKey ?? path ?? taskId, agent, role].filter((part) => part !== undefined).join(" · ")

const hitText = (hit: SearchHit, hasColour: boolean): string => {
  const head = printable(`${TIME.format(hit.at)}  ${KINDS[hit.kind]}  ${whereOf(hit)}`).trimEnd()
  const snippet = hit.snippet
    .map((part) => (part.hit && hasColour ? `${BOLD}${printable(part.text)}${PLAIN}` : printable(part.text)))
    .join("")
  return `${head}\n    ${snippet.trim()}`
}

const plural = (count: number) => (count === 1 ? "1 hit" : `${count} hits`)

/** What was found, for a terminal. */
export const searchReport = (
  { anew, cursor, hits, paused, progress, state }: SearchPage,
  hasColour: boolean
): string => {
  const built = anew === undefined ? "still being built" : `being rebuilt because ${anew}`
  const share = state === "building" ? ` The index is ${built} (${Math.floor((progress ?? 0) * 100)} %).` : ""
  const isPart = paused === undefined ? share : `${share} The index is paused: ${paused}.`
  if (hits.length === 0) return `Nothing found.${isPart}`
  const more =
    cursor === undefined ? `${plural(hits.length)}.` : `The newest ${plural(hits.length)}; there are more (--limit).`
  return `${hits.map((hit) => hitText(hit, hasColour)).join("\n\n")}\n\n${more}${isPart}`
}

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
