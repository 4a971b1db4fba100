import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { LANGUAGES } from "../../../contract/schema/voice.ts"
import { normaliseOrigin } from "./settingAddresses.ts"
import { settingPlaces } from "./settingPlaces.ts"
import { EnvironmentSchema } from "./settingsSchema.ts"
import { mergeVariables, type SettingSources } from "./variables.ts"

/** How many letters have to be typed, left out, exchanged or swapped with their neighbour to get from one name to the other. */
const distance = (one: string, other: string): number => {
  let before: ReadonlyArray<number> = []
  let above: ReadonlyArray<number> = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      next.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (next[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
        )
      )
    }
    before = above
    above = next
  }
  return above[other.length] ?? 0
}

/** The name that somebody most likely meant, if one is close: mistyped, in small letters, or without its first word. */
const nearestName = (name: string, known: ReadonlyArray<string>): string | undefined => {
  const typed = name.toUpperCase().replaceAll("-", "_")
  const most = Math.max(2, Math.floor(typed.length / 4))
  const [nearest] = known
    .map((one) => ({ one, far: distance(typed, one) }))
    .filter(({ one, far }) => far <= Math.min(most, one.length - 2))
    .toSorted((one, other) => one.far - other.far)
  return nearest?.one ?? known.find((one) => one.endsWith(`_${typed}`))
}

/** A setting without effect: where it stands, and what to do about it, each in a sentence. It never has a secret. */
export interface SettingNote {
  readonly detail: Failure
  readonly fix: Failure
}

/** Every setting there is. */
export const SETTING_NAMES: ReadonlyArray<string> = Object.keys(EnvironmentSchema.fields)
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,60}$/
/** The gateway's own variables: its configuration, which is read for its token, may name them. */
const OF_GATEWAY = /^OPENCLAW_/
/** Shorter names may well be other programs' that happen to be close. */
const LONG = 8

const words = (value: string, separator: RegExp): ReadonlyArray<string> =>
  value
    .split(separator)
    .map((item) => item.trim())
    .filter((item) => item.length > 0)

/** Lists of which entries that can't be used are left out. */
const LISTS: ReadonlyArray<{
  readonly name: string
  readonly separator: RegExp
  readonly isUsed: (entry: string) => boolean
  readonly fix: Failure
}> = [
  {
    name: "ALLOWED_ORIGINS",
    separator: /,/,
    isUsed: (entry) => normaliseOrigin(entry) !== undefined,
    fix: failure("WRITE_ORIGINS")
  },
  {
    name: "CSP_CONNECT_EXTRA",
    separator: /\s+/,
    isUsed: (entry) => /^(https?|wss?):/i.test(entry),
    fix: failure("WRITE_CSP_SOURCES")
  },
  {
    name: "WS_ALLOWED_HOSTS",
    separator: /,/,
    isUsed: (entry) => /^(\[[\da-f:.]+\]|[\da-f:.]*:[\da-f:.]*:[\da-f:.]*|[\w.-]+)$/i.test(entry),
    fix: failure("WRITE_HOSTS")
  }
]

/** The path of the gateway's address, which isn't used: it answers at its origin. */
const unusedPath = (address: string): string | undefined => {
  const path = URL.canParse(address) ? new URL(address).pathname : "/"
  return path === "/" ? undefined : path
}

const isLanguage = (value: string): boolean => LANGUAGES.some((known) => value.trim().toLowerCase().startsWith(known))

/** Names that only some networks know. */
const PRIVATE_NAME = /(^|\.)(localhost|localdomain|local|lan|home|internal|intranet|private|corp|test|invalid)$/i

/** Whether push services can reach somebody at this contact; Apple's refuses others. */
const isReachable = (contact: string): boolean => {
  const address = contact.replace(/^mailto:.*@/i, "https://")
  if (!URL.canParse(address)) return false
  const { hostname } = new URL(address)
  return (
    hostname.includes(".") && !/^[\d.]+$/.test(hostname) && !hostname.startsWith("[") && !PRIVATE_NAME.test(hostname)
  )
}

/** Settings that need another one. */
const NEEDS: ReadonlyArray<{
  readonly name: string
  readonly needs: string
  readonly isMet: RegExp
  readonly as: "SETTING_NEEDS_TRUE" | "SETTING_NEEDS_SET"
}> = [
  { name: "SVC_PASSWORD_HASH", needs: "SVC_AUTH", isMet: /^(true|1)$/, as: "SETTING_NEEDS_TRUE" },
  { name: "SVC_SESSION_SECRET", needs: "SVC_AUTH", isMet: /^(true|1)$/, as: "SETTING_NEEDS_TRUE" },
  { name: "SVC_PASSWORD_HASH_FILE", needs: "SVC_AUTH", isMet: /^(true|1)$/, as: "SETTING_NEEDS_TRUE" },
  { name: "SVC_SESSION_SECRET_FILE", needs: "SVC_AUTH", isMet: /^(true|1)$/, as: "SETTING_NEEDS_TRUE" },
  { name: "NOTIFY_SECRET_FILE", needs: "NOTIFY_URL", isMet: /./, as: "SETTING_NEEDS_SET" },
  { name: "NOTIFY_SECRET", needs: "NOTIFY_URL", isMet: /./, as: "SETTING_NEEDS_SET" }
]

/** Everything that was set and has no effect, in the order of the settings. */
export const settingNotes = (sources: SettingSources): ReadonlyArray<SettingNote> => {
  const { environment } = sources
  const { fileLineOf, inFile, lineOf, lines } = settingPlaces(sources)
  const all = mergeVariables([environment, inFile])
  const placeAt = (line: number | undefined) =>
    line === undefined ? { place: "ENVIRONMENT" } : { place: "ENV_LINE", line }
  const place = (name: string) => placeAt(fileLineOf(name))

  const unknown = (name: string, isInFile: boolean): SettingNote => {
    const meant = nearestName(name, SETTING_NAMES)
    return {
      detail: failure("SETTING_UNKNOWN", { name, ...placeAt(isInFile ? (lineOf(name) ?? 1) : undefined) }),
      fix: meant === undefined ? failure("REMOVE_SETTING") : failure("DID_YOU_MEAN", { name: meant })
    }
  }

  const isUnknown = (name: string) => !SETTING_NAMES.includes(name) && NAME.test(name) && !OF_GATEWAY.test(name)
  const isMistyped = (name: string) => {
    const meant = nearestName(name, SETTING_NAMES)
    return isUnknown(name) && meant !== undefined && meant.length >= LONG && Math.abs(meant.length - name.length) <= 2
  }

  return [
    ...lines
      .filter(({ name, isSetting }) => !isSetting && SETTING_NAMES.includes(name))
      .map(({ number }) => ({ detail: failure("LINE_UNUSED", { line: number }), fix: failure("WRITE_AS_NAME_VALUE") })),
    ...lines
      .filter(({ name, number, isSetting }) => isSetting && SETTING_NAMES.includes(name) && number !== lineOf(name))
      .map(({ name, number }) => ({
        detail: failure("SETTING_REPEATED", { name, line: number, other: lineOf(name) ?? 1 }),
        fix: failure("REMOVE_ONE_LINE")
      })),
    ...Object.keys(inFile)
      .filter(isUnknown)
      .map((name) => unknown(name, true)),
    ...Object.keys(environment)
      .filter((name) => isMistyped(name) && inFile[name] === undefined)
      .map((name) => unknown(name, false)),
    ...LISTS.flatMap(({ name, separator, isUsed, fix }) =>
      words(all[name] ?? "", separator)
        .filter((entry) => !isUsed(entry))
        .map((entry) => ({ detail: failure("ENTRY_UNUSED", { entry, name, ...place(name) }), fix }))
    ),
    ...(all.PUSH_CONTACT === undefined || isReachable(all.PUSH_CONTACT.trim())
      ? []
      : [
          {
            detail: failure("CONTACT_UNREACHABLE", place("PUSH_CONTACT")),
            fix: failure("SET_CONTACT")
          }
        ]),
    ...[unusedPath(all.GATEWAY_URL ?? "")]
      .filter((path) => path !== undefined)
      .map((path) => ({
        detail: failure("ENTRY_UNUSED", { entry: path, name: "GATEWAY_URL", ...place("GATEWAY_URL") }),
        fix: failure("GIVE_GATEWAY_A_NAME")
      })),
    ...(all.SVC_LANGUAGE === undefined || isLanguage(all.SVC_LANGUAGE)
      ? []
      : [
          {
            detail: failure("LANGUAGE_UNKNOWN", place("SVC_LANGUAGE")),
            fix: failure("SET_ONE_OF", { names: LANGUAGES.join(", ") })
          }
        ]),
    ...NEEDS.filter(({ name, needs, isMet }) => all[name] !== undefined && !isMet.test(all[needs]?.trim() ?? "")).map(
      ({ name, needs, as }) => ({
        detail: failure(as, { name, needs, ...place(name) }),
        fix: failure("SET_OR_REMOVE", { needs, name })
      })
    )
  ]
}
