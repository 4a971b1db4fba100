import { randomBytes } from "node:crypto"
import { networkInterfaces } from "node:os"
import { posix } from "node:path"
import { Context, Effect, FileSystem, Layer, type Path, Redacted, Schema } from "effect"
import { HttpClient } from "effect/http"
import { hashPassword } from "../../access/auth/passwordHash.ts"
import { outgoingHttp } from "../../platform/outgoing/OutgoingHttp.ts"
import { setInEnvText } from "../../platform/settings/EnvFile.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { fileVariable } from "../../platform/settings/secretFiles.ts"
import { isEveryInterface } from "../../platform/settings/startRules.ts"
import { parseDotEnv } from "../../platform/settings/variables.ts"
import { writeFileAtomic } from "../../platform/storage/atomicFile.ts"
import { hstsFinding, hstsName, portFinding } from "../doctor/doctorRules.ts"
import { portUse } from "../doctor/lookAtPrograms.ts"
import {
  askUntil,
  isPlain,
  originsOf,
  parseGatewayUrl,
  parseLanguage,
  parseOrigins,
  parsePort,
  Questions
} from "./Questions.ts"

/** Setup can't continue; `message` says why and what to do. */
export class SetupRefused extends Schema.TaggedError<SetupRefused>()("SetupRefused", { message: Schema.String }) {}

/** What is known before the first question. */
export interface Known {
  readonly settings: SettingsShape
  /** Whether the token comes from the gateway's own files, which are read at each start. */
  readonly isTokenFound: boolean
}

export type Variables = Readonly<Record<string, string>>

export interface SetupShape {
  /** Asks everything and returns the variables to set. */
  readonly ask: (known: Known) => Effect.Effect<Variables>
  /** The variables to set without asking. */
  readonly assume: (known: Known) => Variables
  /** Sets variables in the folder's `.env` and leaves the rest of the file as it is. `false` if nothing changed. */
  readonly write: (installDir: string, variables: Variables) => Effect.Effect<boolean, SetupRefused>
}

const SECRET_BYTES = 32
const NEW_MODE = 0o600
const EVERYWHERE = "0.0.0.0"

const newSecret = () => randomBytes(SECRET_BYTES).toString("hex")

const interfaceAddresses = () => Object.values(networkInterfaces()).flatMap((all) => all ?? [])

/** Collects what the console needs and writes it to `.env`. */
export class Setup extends Context.Service<Setup, SetupShape>()("agent-console/services/machine/setup/Setup") {
  static readonly layer = Layer.effect(
    Setup,
    Effect.gen(function* () {
      const questions = yield* Questions
      const http = yield* outgoingHttp
      const fs = yield* FileSystem.FileSystem
      const platform = yield* Effect.context<FileSystem.FileSystem | Path.Path>()

      const until = askUntil(questions)

      const hiddenPlain = (question: string): Effect.Effect<string> =>
        Effect.flatMap(questions.hidden(question), (answer) =>
          isPlain(answer)
            ? Effect.succeed(answer)
            : Effect.andThen(
                questions.say(
                  "It contains characters that need quotes. Leave it empty here and add it to .env yourself."
                ),
                hiddenPlain(question)
              )
        )

      const askGateway = Effect.fnUntraced(function* ({ settings, isTokenFound }: Known) {
        if (isTokenFound) {
          yield* questions.say(
            `Found the gateway's settings on this machine. Its address is ${settings.gatewayUrl}, and its token is read from there at each start.`
          )
          return {}
        }
        const url = yield* until(
          "Gateway address",
          settings.gatewayUrl,
          parseGatewayUrl,
          "That isn't a valid address. Example: http://192.168.1.20:18789"
        )
        const hasToken = settings.gatewayToken !== undefined
        const token = yield* hiddenPlain(
          hasToken ? "Gateway token (leave empty to keep the current one)" : "Gateway token"
        )
        return {
          ...(url === settings.gatewayUrl ? {} : { GATEWAY_URL: url }),
          ...(token === "" ? {} : { GATEWAY_TOKEN: token })
        }
      })

      const askPort = (settings: SettingsShape, host: string): Effect.Effect<number> =>
        Effect.gen(function* () {
          const port = yield* until(
            "Port",
            String(settings.port),
            parsePort,
            "That isn't a valid port. Use 1 to 65535."
          )
          const { basePath } = settings
          const use = yield* portUse({ host, port, basePath }).pipe(Effect.provideService(HttpClient.HttpClient, http))
          const finding = portFinding({ host, port }, use)
          if (finding.state === "ok") return port
          yield* questions.say(finding.detail)
          return yield* askPort(settings, host)
        })

      const askAddress = Effect.fnUntraced(function* ({ settings }: Known) {
        const isOpen = yield* questions.yesNo(
          "Allow other devices on your network to open the console",
          isEveryInterface(settings.host)
        )
        const host = isOpen ? EVERYWHERE : "127.0.0.1"
        const port = yield* askPort(settings, host)
        if (!isOpen) return { host, port, variables: { HOST: host, PORT: String(port) } }
        const origins = yield* until(
          "Addresses you'll open it at on those devices",
          (settings.allowedOrigins.length > 0 ? settings.allowedOrigins : originsOf(interfaceAddresses(), port)).join(
            ","
          ),
          parseOrigins,
          "Those aren't valid addresses. Example: http://192.168.1.20:3080 (separate several with commas)"
        )
        return {
          host,
          port,
          variables: { HOST: host, PORT: String(port), ...(origins === "" ? {} : { ALLOWED_ORIGINS: origins }) }
        }
      })

      const askNewPassword: Effect.Effect<string> = Effect.gen(function* () {
        const password = yield* questions.hidden("New password")
        if (password === "") {
          yield* questions.say("The password can't be empty.")
          return yield* askNewPassword
        }
        if ((yield* questions.hidden("Repeat it")) === password) return password
        yield* questions.say("The passwords don't match.")
        return yield* askNewPassword
      })

      const askPassword = Effect.fnUntraced(function* ({ settings }: Known, isOpen: boolean) {
        if (!isOpen && !(yield* questions.yesNo("Require a password", settings.authEnabled))) {
          return { SVC_AUTH: "false" }
        }
        if (isOpen) yield* questions.say("A console that's open to other devices needs a password.")
        const secret = settings.sessionSecret === undefined ? { SVC_SESSION_SECRET: newSecret() } : {}
        const keeps = settings.passwordHash !== undefined && (yield* questions.yesNo("Keep the current password", true))
        if (keeps) return { SVC_AUTH: "true", ...secret }
        const hash = yield* Effect.flatMap(askNewPassword, hashPassword)
        return { SVC_AUTH: "true", SVC_PASSWORD_HASH: hash, ...secret }
      })

      const askVoice = Effect.fnUntraced(function* ({ settings }: Known) {
        const language = yield* until(
          "Language you speak with your agents",
          settings.language,
          parseLanguage,
          "Choose one of en, zh, hi, es, fr, ar, bn, pt, ru, ja, de, tr."
        )
        const key = yield* hiddenPlain(
          settings.vendorAKey === undefined
            ? "OpenAI key for voices and speech recognition (leave empty for free voices and recognition on this machine)"
            : "OpenAI key for voices and speech recognition (leave empty to keep the current one)"
        )
        return { SVC_LANGUAGE: language, ...(key === "" ? {} : { VENDOR_A_API_KEY: key }) }
      })

      const ask = Effect.fn("Setup.ask")(function* (known: Known) {
        const gateway = yield* askGateway(known)
        const address = yield* askAddress(known)
        const origins = "ALLOWED_ORIGINS" in address.variables ? address.variables.ALLOWED_ORIGINS.split(",") : []
        const name = hstsName({ allowedOrigins: origins, hsts: known.settings.hsts }, false)
        if (name !== undefined) {
          const { detail, fix = "" } = hstsFinding(name)
          yield* questions.say(`${detail} ${fix}`)
        }
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
          const inFile = parseDotEnv(before ?? "")
          // A value and the file with it are refused together: the new value takes its place.
          const replaced = Object.keys(variables)
            .map(fileVariable)
            .filter((name) => inFile[name] !== undefined)
            .map((name) => [name, ""])
          const after = setInEnvText(before ?? "", { ...variables, ...Object.fromEntries(replaced) })
          if (after === before) return false
          yield* writeFileAtomic(path, after, before === undefined ? { mode: NEW_MODE } : {})
          return true
        },
        Effect.provideContext(platform),
        Effect.mapError(
          () =>
            new SetupRefused({ message: "couldn't write .env in this folder: run setup in a folder you can write to" })
        )
      )

      return Setup.of({ ask, assume, write })
    })
  )
}

/** Why setup without questions can't succeed, or `undefined`. */
export const assumptionProblem = ({ settings }: Known): string | undefined =>
  settings.gatewayToken === undefined || Redacted.value(settings.gatewayToken) === ""
    ? "no gateway was found on this machine: set GATEWAY_URL and GATEWAY_TOKEN, or run `agent-console setup` without --yes"
    : undefined
