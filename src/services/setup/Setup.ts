import { randomBytes } from "node:crypto"
import { networkInterfaces } from "node:os"
import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, type Path, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { hashPassword } from "../auth/passwordHash.ts"
import { portFinding } from "../doctor/accessRules.ts"
import { portUse } from "../doctor/portUse.ts"
import { writeFileAtomic } from "../files/atomicFile.ts"
import { setInEnvText } from "../settings/envText.ts"
import type { SettingsShape } from "../settings/Settings.ts"
import { isEveryInterface } from "../settings/startRules.ts"
import { Questions } from "./Questions.ts"
import { isPlain, originsOf, parseGatewayUrl, parseLanguage, parseOrigins, parsePort } from "./setupRules.ts"

/** The set-up cannot go on; `message` says why and what to do. */
export class SetupRefused extends Schema.TaggedError<SetupRefused>()("SetupRefused", { message: Schema.String }) {}

/** What is known before the first question. */
export interface Known {
  readonly settings: SettingsShape
  /** Whether the token comes from the gateway's own files, which are read at every start. */
  readonly isTokenFound: boolean
}

export type Variables = Readonly<Record<string, string>>

export interface SetupShape {
  /** Asks everything; answers the variables that are to be set. */
  readonly ask: (known: Known) => Effect.Effect<Variables>
  /** The variables that are to be set when nobody is asked. */
  readonly assume: (known: Known) => Variables
  /** Sets variables in `.env` of the folder; every other byte of the file stays (D72). `false` when nothing changed. */
  readonly write: (installDir: string, variables: Variables) => Effect.Effect<boolean, SetupRefused>
}

const SECRET_BYTES = 32
const NEW_MODE = 0o600
const EVERYWHERE = "0.0.0.0"

const newSecret = () => randomBytes(SECRET_BYTES).toString("hex")

const ownAddresses = () => Object.values(networkInterfaces()).flatMap((all) => all ?? [])

/** Finds out what a console needs and writes it into `.env`. */
export class Setup extends Context.Service<Setup, SetupShape>()("agent-console/services/setup/Setup") {
  static readonly layer = Layer.effect(
    Setup,
    Effect.gen(function* () {
      const questions = yield* Questions
      const http = yield* HttpClient.HttpClient
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()

      /** Asks until the answer can be used. */
      const until = <A>(
        question: string,
        byDefault: string,
        parse: (text: string) => A | undefined,
        hint: string
      ): Effect.Effect<A> =>
        Effect.flatMap(questions.line(question, byDefault), (answer) => {
          const parsed = parse(answer)
          return parsed === undefined
            ? Effect.andThen(questions.say(hint), until(question, byDefault, parse, hint))
            : Effect.succeed(parsed)
        })

      const hiddenPlain = (question: string): Effect.Effect<string> =>
        Effect.flatMap(questions.hidden(question), (answer) =>
          isPlain(answer)
            ? Effect.succeed(answer)
            : Effect.andThen(
                questions.say(
                  "It has characters that need quotes: leave it empty here and write it into .env yourself."
                ),
                hiddenPlain(question)
              )
        )

      const askGateway = Effect.fnUntraced(function* ({ settings, isTokenFound }: Known) {
        if (isTokenFound) {
          yield* questions.say(
            `The gateway's own settings are on this machine: its token is read from there at every start, and it is at ${settings.gatewayUrl}.`
          )
          return {}
        }
        const url = yield* until(
          "Address of the gateway",
          settings.gatewayUrl,
          parseGatewayUrl,
          "That is no address: it looks like http://192.168.1.20:18789."
        )
        const hasToken = settings.gatewayToken !== undefined
        const token = yield* hiddenPlain(
          hasToken ? "Token of the gateway (empty keeps the one that is set): " : "Token of the gateway: "
        )
        return {
          ...(url === settings.gatewayUrl ? {} : { GATEWAY_URL: url }),
          ...(token === "" ? {} : { GATEWAY_TOKEN: token })
        }
      })

      const askPort = (settings: SettingsShape, host: string): Effect.Effect<number> =>
        Effect.gen(function* () {
          const port = yield* until("Port", String(settings.port), parsePort, "That is no port: 1 to 65535.")
          const use = yield* portUse({ host, port }).pipe(Effect.provideService(HttpClient.HttpClient, http))
          const finding = portFinding({ host, port }, use)
          if (finding.state === "ok") return port
          yield* questions.say(finding.detail)
          return yield* askPort(settings, host)
        })

      const askAddress = Effect.fnUntraced(function* ({ settings }: Known) {
        const isOpen = yield* questions.yesNo(
          "Should other devices on your network reach the console, too",
          isEveryInterface(settings.host)
        )
        const host = isOpen ? EVERYWHERE : "127.0.0.1"
        const port = yield* askPort(settings, host)
        if (!isOpen) return { host, port, variables: { HOST: host, PORT: String(port) } }
        const origins = yield* until(
          "Addresses you will open it at from there",
          (settings.allowedOrigins.length > 0 ? settings.allowedOrigins : originsOf(ownAddresses(), port)).join(","),
          parseOrigins,
          "These are no addresses: they look like http://192.168.1.20:3080, with commas between them."
        )
        return {
          host,
          port,
          variables: { HOST: host, PORT: String(port), ...(origins === "" ? {} : { ALLOWED_ORIGINS: origins }) }
        }
      })

      const askNewPassword: Effect.Effect<string> = Effect.gen(function* () {
        const password = yield* questions.hidden("New password: ")
        if (password === "") {
          yield* questions.say("An empty password keeps nobody out.")
          return yield* askNewPassword
        }
        if ((yield* questions.hidden("Once more: ")) === password) return password
        yield* questions.say("The two are not the same.")
        return yield* askNewPassword
      })

      const askPassword = Effect.fnUntraced(function* ({ settings }: Known, isOpen: boolean) {
        if (!isOpen && !(yield* questions.yesNo("Ask for a password", settings.authEnabled))) {
          return { SVC_AUTH: "false" }
        }
        if (isOpen) yield* questions.say("A console that others reach asks for a password.")
        const secret = settings.sessionSecret === undefined ? { SVC_SESSION_SECRET: newSecret() } : {}
        const keeps =
          settings.passwordHash !== undefined && (yield* questions.yesNo("Keep the password that is set", true))
        if (keeps) return { SVC_AUTH: "true", ...secret }
        const hash = yield* Effect.flatMap(askNewPassword, hashPassword)
        return { SVC_AUTH: "true", SVC_PASSWORD_HASH: hash, ...secret }
      })

      const askVoice = Effect.fnUntraced(function* ({ settings }: Known) {
        const language = yield* until(
          "Language you speak with the agent",
          settings.language,
          parseLanguage,
          "That is none of en, zh, hi, es, fr, ar, bn, pt, ru, ja, de, tr."
        )
        const key = yield* hiddenPlain(
          settings.vendorAKey === undefined
            ? "OpenAI key for its voices and its speech recognition (empty: free voices, recognition on this machine): "
            : "OpenAI key for its voices and its speech recognition (empty keeps the one that is set): "
        )
        return { SVC_LANGUAGE: language, ...(key === "" ? {} : { VENDOR_A_API_KEY: key }) }
      })

      const ask = Effect.fn("Setup.ask")(function* (known: Known) {
        const gateway = yield* askGateway(known)
        const address = yield* askAddress(known)
        const password = yield* askPassword(known, address.host === EVERYWHERE)
        const voice = yield* askVoice(known)
        return { ...gateway, ...address.variables, ...password, ...voice }
      })

      const assume = ({ settings }: Known): Variables => ({
        HOST: settings.host,
        PORT: String(settings.port),
        ...(settings.authEnabled && settings.sessionSecret === undefined ? { SVC_SESSION_SECRET: newSecret() } : {})
      })

      const write = Effect.fn("Setup.write")(
        function* (installDir: string, variables: Variables) {
          const path = posix.join(installDir, ".env")
          const before = yield* fs.readFile(path).pipe(
            Effect.map((bytes): string | undefined => new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)),
            Effect.catchReason("PlatformError", "NotFound", () => Effect.succeed(undefined))
          )
          const after = setInEnvText(before ?? "", variables)
          if (after === before) return false
          yield* writeFileAtomic(path, after, before === undefined ? { mode: NEW_MODE } : {})
          return true
        },
        Effect.provideContext(platform),
        Effect.mapError(
          () => new SetupRefused({ message: ".env cannot be written in this folder: go to one of this user's" })
        )
      )

      return Setup.of({ ask, assume, write })
    })
  )
}

/** Why a set-up without questions cannot end well, or `undefined`. */
export const assumptionProblem = ({ settings }: Known): string | undefined =>
  settings.gatewayToken === undefined || Redacted.value(settings.gatewayToken) === ""
    ? "no gateway was found on this machine: set GATEWAY_URL and GATEWAY_TOKEN, or run `agent-console setup` without --yes"
    : undefined
