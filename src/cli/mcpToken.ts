import { Console, Effect, Schema, SchemaIssue } from "effect"
import { agentSnippets } from "../contract/agentSnippets.ts"
import { CreateAgentToken } from "../contract/schema/access.ts"
import { AgentTokens, MOST_TOKENS } from "../services/access/agents/AgentTokens.ts"
import { readAccess } from "../services/access/local/readAccess.ts"
import type { SettingsShape } from "../services/platform/settings/Settings.ts"
import { localAddress } from "../services/platform/settings/startRules.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { exitCodes } from "./exitCodes.ts"
import { refuse, withDatabase } from "./withDatabase.ts"

const decode = Schema.decodeUnknownEffect(CreateAgentToken)
const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

const wrong = (error: Schema.SchemaError) => {
  const [first] = formatIssue(error.issue).issues
  return new CommandFailure({
    message: `--${String(first?.path?.[0] ?? "name")} ${first?.message ?? "isn't valid"}`,
    exitCode: exitCodes.usage
  })
}

const created = (input: CreateAgentToken) =>
  Effect.flatMap(AgentTokens, (tokens) => tokens.create(input)).pipe(Effect.provide(AgentTokens.layer))

/** Where the console answers: the one that's running knows, otherwise the settings say. */
const originOf = (settings: SettingsShape) =>
  readAccess(settings.svcHome).pipe(
    Effect.map(({ address }) => address),
    Effect.catchTags({
      NoAccess: () => Effect.succeed(localAddress(settings)),
      AccessRefused: ({ message }) => refuse(message)
    })
  )

/** Creates a token, also while the console is running, and shows it once with what to paste where. */
export const printNewToken = Effect.fn("printNewToken")(
  function* ({ name, rights }: { readonly name: string; readonly rights: string }) {
    const input = yield* Effect.mapError(
      decode({ name, rights: rights.split(",").map((right) => right.trim()) }),
      wrong
    )
    const { origin, token } = yield* withDatabase(
      Effect.fnUntraced(function* (settings) {
        const address = yield* originOf(settings)
        const made = yield* created(input)
        return { origin: address, token: made.token }
      })
    )
    const ways = agentSnippets(origin, token).flatMap(({ client, text }) => [
      "",
      `${client}:`,
      "",
      text.replaceAll(/^/gm, "  ")
    ])
    yield* Console.log(
      [token, "", "This token isn't shown again. Give it to the agent in one of these ways:", ...ways].join("\n")
    )
  },
  Effect.catchTags({
    AgentNameTaken: () => refuse("another token has this name: choose another one, or revoke that token first"),
    TooManyAgentTokens: () => refuse(`there are ${MOST_TOKENS} tokens already: revoke one of them first`),
    StoreError: ({ message }) => refuse(message)
  })
)
