import { Option, Schema } from "effect"
import { DOCUMENTS } from "../../knowledge/documents/Documents.ts"
import { withoutVariables } from "../../platform/settings/EnvFile.ts"
import { parseDotEnv } from "../../platform/settings/variables.ts"

/** Files that commands and the console keep about backups, in the console's folder; no archive holds them. */
export const BACKUP_FILES = {
  folder: "backups",
  last: "last-backup.json",
  automatic: "automatic-backups.json",
  startedIn: "started-in.json"
} as const

/** What no archive holds, at the top of the console's folder. */
const LEFT_OUT: ReadonlyArray<RegExp> = [
  // Locks, and by what commands find the running console: a copy would lead them to the wrong one.
  /^console\.lock/,
  /^local-access\.json$/,
  // Archives, what is known of them, and what came with one beside the console's own files.
  /^(backups|restored)$/,
  /^(last-backup|automatic-backups|started-in)\.json$/,
  /^\d{8}-\d{6}\.tar\.gz$/,
  // What is built, downloaded or prepared again.
  /^(search|usage(-[a-z0-9-]+)?)\.db/,
  /^(models|updater)$/,
  // What is written at this moment, or was put aside.
  /^\.unfinished-/,
  /^\.before-/,
  /^\.restore-/,
  /^\.doctor-/,
  /^\..*\.tmp$/,
  // SQLite's own backup holds what is in these.
  /\.db-(wal|shm|journal)$/
]

/** What an archive without secrets doesn't hold besides: keys, and damaged files that may have had some. */
const SECRET: ReadonlyArray<RegExp> = [/^device-identity\.json/, /^push-key\.json/, /\.damaged-/, /^certs$/]

/** Whether an archive holds what has this name at the top of the console's folder. */
export const belongs = (name: string, withoutSecrets: boolean): boolean =>
  ![...LEFT_OUT, ...(withoutSecrets ? SECRET : [])].some((pattern) => pattern.test(name))

/** Whether it's a database that may be open at this moment. */
export const isDatabase = (name: string): boolean => name.endsWith(".db")

/** An address that is a secret by itself, or may have one in it. */
const SECRET_ADDRESSES = ["NOTIFY_URL", "BOARD_URL"]
const SECRET_NAME =
  /(TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|PASSWORD_HASH|PRIVATE_KEY|API_?KEY|ACCESS_KEY|CREDENTIALS?|_HEADERS)(?!.*_FILE$)/i
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s@]+@/i
/** A shorter value may well be part of other lines. */
const LONG = 6

const isSecret = (name: string, value: string): boolean =>
  SECRET_ADDRESSES.includes(name) || SECRET_NAME.test(name) || WITH_PASSWORD.test(value.trim())

const COMMENTED = /^\s*#+\s*(?:export\s+)?([A-Za-z_][\w.-]*)\s*=(.*)$/

/** The text of a `.env` file without the lines that have secrets, commented ones too. */
export const envWithoutSecrets = (text: string): string => {
  const lines = withoutVariables(text, isSecret).split("\n")
  const values = Object.entries(parseDotEnv(text))
    .filter(([name, value]) => isSecret(name, value ?? ""))
    .flatMap(([, value]) => (value ?? "").split("\n"))
    .filter((value) => value.length >= LONG)
  const isPlain = (line: string) => {
    const [, name, value] = COMMENTED.exec(line) ?? []
    return (name === undefined || !isSecret(name, value ?? "")) && !values.some((secret) => line.includes(secret))
  }
  return lines.filter(isPlain).join("\n")
}

const Gateways = Schema.fromJsonString(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
const decodeGateways = Schema.decodeUnknownOption(Gateways)

/** The text of `gateways.json` with empty tokens; nothing if it isn't a list of gateways. */
export const gatewaysWithoutSecrets = (text: string): string | undefined =>
  Option.getOrUndefined(
    Option.map(
      decodeGateways(text),
      (gateways) => `${JSON.stringify(gateways.map((gateway) => ({ ...gateway, token: "" })))}\n`
    )
  )

/** The files of an agent's workspace that go with `--gateway-home`. */
export const WORKSPACE_FILES: ReadonlyArray<string> = ["MEMORY.md", ...Object.values(DOCUMENTS)]
