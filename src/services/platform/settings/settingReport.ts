import { fileVariable, SECRETS } from "./secretFiles.ts"
import { SETTING_NAMES } from "./settingNotes.ts"
import { settingPlaces } from "./settingPlaces.ts"
import { mergeVariables, type SettingSources } from "./variables.ts"

/** A setting that has a value, and where that comes from. */
export interface GivenSetting {
  readonly name: string
  /** `undefined` for a secret, whose value is shown nowhere. */
  readonly value: string | undefined
  readonly source: "environment" | ".env"
  /** Of `.env`. */
  readonly line: number | undefined
}

/** The address of a webhook is usually all that's needed to write there. */
const OTHER_SECRETS = ["ALT_GATEWAY_TOKEN", "NOTIFY_URL"]

const isSecret = (name: string): boolean => SECRETS.includes(name) || OTHER_SECRETS.includes(name)

/** Names and passwords in addresses. */
const CREDENTIALS = /(:\/\/)[^/?#@\s]*@/g

/** All settings with a value, in their own order; those that name a secret's file among them. */
export const givenSettings = (sources: SettingSources): ReadonlyArray<GivenSetting> => {
  const { fileLineOf, inFile } = settingPlaces(sources)
  const all = mergeVariables([sources.environment, inFile])
  return SETTING_NAMES.flatMap((name) => {
    const value = all[name]
    if (value === undefined) return []
    const line = fileLineOf(name)
    const shown = isSecret(name) ? undefined : value.trim().replaceAll(CREDENTIALS, "$1…@")
    return [{ name, value: shown, source: line === undefined ? ("environment" as const) : (".env" as const), line }]
  })
}

/** The secret whose file a setting names. */
export const secretOfFile = (name: string): string | undefined =>
  SECRETS.find((secret) => fileVariable(secret) === name)
