import { join, resolve } from "node:path"
import { NodeServices } from "@effect/platform-node"
import { Console, Effect, FileSystem, Option } from "effect"
import { settingProblems } from "../layers/Config.ts"
import { settingNotes } from "../services/platform/settings/settingNotes.ts"
import { type GivenSetting, givenSettings, secretOfFile } from "../services/platform/settings/settingReport.ts"
import { settingsJsonSchema } from "../services/platform/settings/settingsJsonSchema.ts"
import { readDotEnv, type SettingSources, type Variables } from "../services/platform/settings/variables.ts"
import { CommandFailure } from "./CommandFailure.ts"
import { environmentFromHere, packageRoot, sayWhatIsNotRead } from "./commandSettings.ts"
import { hasColour } from "./doctor.ts"
import { MARKS, PLAIN, summary } from "./doctorTable.ts"
import { exitCodes } from "./exitCodes.ts"

/** What was found about the settings: a problem keeps the console from starting, or is a mistake in any case. */
interface Finding {
  readonly state: "problem" | "warning"
  readonly detail: string
  readonly fix?: string
}

/** Nobody writes such a line on purpose. */
const MISTAKES = new Set(["SETTING_UNKNOWN", "LINE_UNUSED"])

const placeText = (line: number | undefined): string => (line === undefined ? "environment" : `.env, line ${line}`)

/** A sentence that begins with the name of a setting, with the place where it's set. */
const withPlace = (sources: SettingSources, problem: string): string => {
  const [name = "", ...rest] = problem.split(" ")
  const given = givenSettings(sources).find((setting) => setting.name === name)
  return given === undefined ? `${problem}.` : `${name} (${placeText(given.line)}) ${rest.join(" ")}.`
}

const findingsOf = Effect.fnUntraced(function* (folder: string, sources: SettingSources) {
  const problems = yield* settingProblems(folder, sources.environment)
  const notes = settingNotes(sources).map(({ detail, fix }): Finding => {
    const isMistake = MISTAKES.has(detail.why?.code ?? "")
    return { state: isMistake ? "problem" : "warning", detail: detail.message, fix: fix.message }
  })
  return [...problems.map((problem): Finding => ({ state: "problem", detail: withPlace(sources, problem) })), ...notes]
})

const valueText = ({ name, value }: GivenSetting): string => {
  if (value === undefined) return "(not shown)"
  const secret = secretOfFile(name)
  return secret === undefined ? value : `${value} (${secret} is in this file)`
}

const report = (given: ReadonlyArray<GivenSetting>, findings: ReadonlyArray<Finding>): string => {
  const [names, values] = [given.map(({ name }) => name), given.map(valueText)].map((texts) =>
    Math.max(0, ...texts.map((text) => text.length))
  )
  const rows = given.map(
    (setting) =>
      `  ${setting.name.padEnd(names ?? 0)}  ${valueText(setting).padEnd(values ?? 0)}  ${placeText(setting.line)}`
  )
  const found = findings.flatMap(({ state, detail, fix }) => {
    const { colour, mark } = MARKS[state]
    return [
      `${hasColour() ? `${colour}${mark}${PLAIN}` : mark} ${detail}`,
      ...(fix === undefined ? [] : [`  → ${fix}`])
    ]
  })
  const heading = given.length === 0 ? "Nothing is set, so all settings have their defaults." : "Set:"
  return [heading, ...rows, "", ...(found.length === 0 ? [] : [...found, ""]), summary(findings)].join("\n")
}

/** The folder whose settings are looked at, and the variables that come before its `.env`. */
const sourceOf = Effect.fnUntraced(function* (folder: Option.Option<string>) {
  if (Option.isNone(folder)) {
    yield* sayWhatIsNotRead("`agent-console config check .` checks the settings of a console that is started here")
    return { path: packageRoot, environment: environmentFromHere() }
  }
  const path = resolve(folder.value)
  const fs = yield* FileSystem.FileSystem
  const environment: Variables = process.env
  if (yield* Effect.orElseSucceed(fs.exists(path), () => false)) return { path, environment }
  return yield* new CommandFailure({ message: `there's no folder ${folder.value}`, exitCode: exitCodes.usage })
})

/** `agent-console config check`: what is set, where, and what's wrong with it; exits with 3 if something is. */
export const checkConfig = Effect.fn("checkConfig")(
  function* ({ folder, json }: { readonly folder: Option.Option<string>; readonly json: boolean }) {
    const { environment, path } = yield* sourceOf(folder)
    const sources = { environment, dotEnv: yield* readDotEnv(path) }
    const [given, findings] = [givenSettings(sources), yield* findingsOf(path, sources)]
    yield* Console.log(json ? JSON.stringify({ settings: given, findings }, null, 2) : report(given, findings))
    if (findings.some(({ state }) => state === "problem"))
      return yield* new CommandFailure({ message: "", exitCode: exitCodes.settings })
  },
  Effect.catchTag("SettingsError", ({ message }) => new CommandFailure({ message, exitCode: exitCodes.settings })),
  Effect.provide(NodeServices.layer)
)

/** `agent-console config schema`: the JSON Schema of the settings, with the meanings in `.env.example`. */
export const printSchema = Effect.fn("printSchema")(function* () {
  const fs = yield* FileSystem.FileSystem
  const example = yield* Effect.orElseSucceed(fs.readFileString(join(packageRoot, ".env.example")), () => "")
  yield* Console.log(JSON.stringify(settingsJsonSchema(example), null, 2))
}, Effect.provide(NodeServices.layer))
