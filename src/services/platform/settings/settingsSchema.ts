import { Schema, SchemaTransformation } from "effect"
import { failure } from "../../../contract/failures.ts"
import { readAddressRange } from "./addressRange.ts"
import { pushOrigin, readNotifyUrl } from "./settingAddresses.ts"

/** `<hex salt>:<hex key>`: a 32-byte salt and a 64-byte scrypt key. */
export const PASSWORD_HASH_PATTERN = /^[0-9a-fA-F]{64}:[0-9a-fA-F]{128}$/u

const integer = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => /^\d{1,15}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum)
  )
    .annotate(failure("WHOLE_NUMBER_RANGE", { min: minimum, max: maximum }))
    .pipe(Schema.decodeTo(Schema.Int, SchemaTransformation.numberFromString))

const oneOf = <const T extends ReadonlyArray<string>>(values: T) =>
  Schema.Literals(values).annotate(failure("MUST_BE_ONE_OF", { words: values.join(", ") }))

const flag = Schema.Literals(["true", "false", "1", "0"]).annotate(failure("MUST_BE_TRUE_OR_FALSE"))

const httpUrl = Schema.String.check(
  Schema.makeFilter((value: string) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))
).annotate({ message: "must be an http or https address" })

/** As a gateway says its own address: the same place by http or by ws. */
const gatewayUrl = Schema.String.check(
  Schema.makeFilter((value: string) => URL.canParse(value) && /^(?:https?|wss?):$/.test(new URL(value).protocol))
).annotate({ message: "must be an http, https, ws or wss address" })

const socketUrl = Schema.String.check(
  Schema.makeFilter((value: string) => URL.canParse(value) && /^wss?:$/.test(new URL(value).protocol))
).annotate({ message: "must be a ws or wss address" })

const matching = (pattern: RegExp, message: string) =>
  Schema.String.check(Schema.isPattern(pattern)).annotate({ message })

/** Parts of letters, digits, dots, underscores and hyphens; none may be `.` or `..`, which browsers resolve away. */
const BASE_PATH_PATTERN = /^(?:\/|(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+)$/u

const origins = Schema.String.check(
  Schema.makeFilter((list: string) => list.split(",").every((item) => pushOrigin(item.trim()) !== undefined))
).annotate({ message: "must be https origins, or http ones of this machine, separated by commas" })

/** The entries of a list that is separated by commas. */
export const entriesOf = (value: string): ReadonlyArray<string> =>
  value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry.length > 0)

const addressRanges = Schema.String.check(
  Schema.makeFilter((value: string) => {
    const wrong = entriesOf(value).find((entry) => readAddressRange(entry) === undefined)
    return wrong === undefined
      ? undefined
      : `must be addresses or ranges such as 172.16.0.0/12, separated by commas; “${wrong}” is neither`
  })
)

const notifyUrl = Schema.String.check(
  Schema.makeFilter((value: string) => readNotifyUrl(value) !== undefined)
).annotate({
  message: "must be an http or https address, or ntfy://<host>/<topic>"
})

/** Whether the board can be at this address. */
export const isBoardUrl = (value: string): boolean =>
  URL.canParse(value) && /^postgres(ql)?:$/.test(new URL(value).protocol)

const boardUrl = Schema.String.check(Schema.makeFilter(isBoardUrl)).annotate({
  message: "must be a postgres:// address"
})

/** Whether it can stand on the board as a person's name, where `operator` and `agent:…` stand too. */
const isPersonName = (value: string): boolean =>
  /^[^\p{C}]{1,80}$/u.test(value.trim()) && !/^(operator$|agent:)/i.test(value.trim())

const personName = Schema.String.check(Schema.makeFilter(isPersonName)).annotate({
  message: "must be a name of up to 80 characters, and neither operator nor agent:…"
})

/** Whether an empty value says something: no proxy at all, where none given means those of this machine. */
export const countsWhenEmpty = (name: string): boolean => name === "TRUSTED_PROXIES"

const text = Schema.String

/**
 * Every variable the program reads from the environment or `.env`. An empty value counts as not set. Times are in
 * milliseconds.
 */
export const EnvironmentSchema = Schema.Struct({
  PORT: Schema.optionalKey(integer(0, 65535)),
  SSL_PORT: Schema.optionalKey(integer(0, 65535)),
  HOST: Schema.optionalKey(matching(/^[^\s/]+$/u, "must be a host name or an address")),
  BASE_PATH: Schema.optionalKey(
    matching(
      BASE_PATH_PATTERN,
      "must be a path such as /console: it begins with a slash and doesn't end with one, and its parts are letters, digits, dots, underscores and hyphens"
    )
  ),
  GATEWAY_TOKEN: Schema.optionalKey(text),
  GATEWAY_TOKEN_FILE: Schema.optionalKey(text),
  ALT_GATEWAY_TOKEN: Schema.optionalKey(text),
  GATEWAY_URL: Schema.optionalKey(gatewayUrl),
  AGENT_NAME: Schema.optionalKey(text),
  VENDOR_A_API_KEY: Schema.optionalKey(text),
  VENDOR_A_API_KEY_FILE: Schema.optionalKey(text),
  VENDOR_B_API_TOKEN: Schema.optionalKey(text),
  VENDOR_B_API_TOKEN_FILE: Schema.optionalKey(text),
  VENDOR_A_BASE_URL: Schema.optionalKey(httpUrl),
  VENDOR_B_BASE_URL: Schema.optionalKey(httpUrl),
  STT_PROVIDER: Schema.optionalKey(oneOf(["local", "vendor_a"])),
  STT_MODEL: Schema.optionalKey(oneOf(["tiny", "base", "small", "tiny.en", "base.en", "small.en"])),
  STT_MODEL_DIR: Schema.optionalKey(text),
  STT_MODEL_BASE_URL: Schema.optionalKey(httpUrl),
  FFMPEG_COMMAND: Schema.optionalKey(text),
  FREE_BASE_URL: Schema.optionalKey(socketUrl),
  SVC_LANGUAGE: Schema.optionalKey(text),
  LANGUAGE: Schema.optionalKey(text),
  EDGE_VOICE_GENDER: Schema.optionalKey(oneOf(["female", "male"])),
  ALLOWED_ORIGINS: Schema.optionalKey(text),
  CSP_CONNECT_EXTRA: Schema.optionalKey(text),
  WS_ALLOWED_HOSTS: Schema.optionalKey(text),
  RELAY: Schema.optionalKey(oneOf(["on", "off"])),
  TRUSTED_PROXIES: Schema.optionalKey(addressRanges),
  SVC_AUTH: Schema.optionalKey(flag),
  SVC_PASSWORD_HASH: Schema.optionalKey(
    matching(PASSWORD_HASH_PATTERN, "isn't a valid hash: create a new one with `agent-console hash-password`")
  ),
  SVC_PASSWORD_HASH_FILE: Schema.optionalKey(text),
  SVC_SESSION_SECRET: Schema.optionalKey(matching(/^[0-9a-fA-F]{64}$/u, "must be 64 hexadecimal digits (32 bytes)")),
  SVC_SESSION_SECRET_FILE: Schema.optionalKey(text),
  SVC_SESSION_TTL: Schema.optionalKey(integer(1000, 31_536_000_000_000)),
  SVC_ALLOW_INSECURE: Schema.optionalKey(flag),
  SVC_INSTANCE: Schema.optionalKey(matching(/^[a-z0-9-]{1,32}$/u, "must be 1 to 32 small letters, digits and hyphens")),
  HSTS: Schema.optionalKey(oneOf(["subdomains", "host", "off"])),
  FILE_BROWSER_ROOT: Schema.optionalKey(text),
  MEMORY_PATH: Schema.optionalKey(text),
  MEMORY_DIR: Schema.optionalKey(text),
  SESSIONS_DIR: Schema.optionalKey(text),
  USAGE_FILE: Schema.optionalKey(text),
  SVC_VOICE_PHRASES_PATH: Schema.optionalKey(text),
  SVC_WATCH_WORKSPACE_RECURSIVE: Schema.optionalKey(flag),
  WORKSPACE_ROOT: Schema.optionalKey(text),
  TTS_CACHE_TTL_MS: Schema.optionalKey(integer(0, 31_536_000_000)),
  TTS_CACHE_MAX: Schema.optionalKey(integer(0, 100_000)),
  AGENT_A_DIR: Schema.optionalKey(text),
  AGENT_A_BASE_URL: Schema.optionalKey(httpUrl),
  AGENT_B_COMMAND: Schema.optionalKey(text),
  PUSH_ALLOWED_ORIGINS: Schema.optionalKey(origins),
  PUSH_CONTACT: Schema.optionalKey(
    matching(/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/u, "must be a mailto: or https: address")
  ),
  NOTIFY_URL: Schema.optionalKey(notifyUrl),
  NOTIFY_SECRET: Schema.optionalKey(text),
  NOTIFY_SECRET_FILE: Schema.optionalKey(text),
  NOTIFY_PRIVATE: Schema.optionalKey(flag),
  LOG_LEVEL: Schema.optionalKey(oneOf(["trace", "debug", "info", "warn", "error", "fatal", "none"])),
  LOG_FORMAT: Schema.optionalKey(oneOf(["text", "json"])),
  OTEL_EXPORTER_OTLP_ENDPOINT: Schema.optionalKey(httpUrl),
  SVC_RELEASES_URL: Schema.optionalKey(httpUrl),
  UPDATE_ALLOWED_SIGNERS: Schema.optionalKey(text),
  BOARD_URL: Schema.optionalKey(boardUrl),
  BOARD_URL_FILE: Schema.optionalKey(text),
  SVC_USER_NAME: Schema.optionalKey(personName),
  SVC_HOME: Schema.optionalKey(text),
  BACKUP_DIR: Schema.optionalKey(text),
  BACKUP_EVERY: Schema.optionalKey(integer(0, 8760)),
  BACKUP_KEEP: Schema.optionalKey(integer(1, 10_000)),
  GATEWAY_HOME: Schema.optionalKey(text),
  GATEWAY_CLI: Schema.optionalKey(text),
  NODE_ENV: Schema.optionalKey(text)
})

export type Environment = typeof EnvironmentSchema.Type
