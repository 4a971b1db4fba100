import { LANGUAGES } from "../../../contract/answers/VoiceAnswers.ts"
import { normaliseOrigin } from "./originSetting.ts"
import { parseDotEnv } from "./readDotEnv.ts"
import { EnvironmentSchema } from "./settingsSchema.ts"
import { mergeVariables, type Variables } from "./variables.ts"

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
  readonly detail: string
  readonly fix: string
}

/** Where settings were read from. */
export interface SettingSources {
  readonly environment: Variables
  /** The text of `.env`; empty without one. */
  readonly dotEnv: string
}

/** Every setting there is. */
export const SETTING_NAMES: ReadonlyArray<string> = Object.keys(EnvironmentSchema.fields)
const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,60}$/
/** The gateway's own variables: its configuration, which is read for its token, may name them. */
const OF_GATEWAY = /^OPENCLAW_/
/** Shorter names may well be other programs' that happen to be close. */
const LONG = 8

const SETTING_LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_-]*)\s*(=?)/

interface Line {
  readonly number: number
  readonly name: string
  readonly isSetting: boolean
}

const linesOf = (dotEnv: string): ReadonlyArray<Line> =>
  dotEnv.split(/\r?\n/).flatMap((text, index) => {
    const found = SETTING_LINE.exec(text.replace(/^\uFEFF/, ""))
    return found === null ? [] : [{ number: index + 1, name: found[1] ?? "", isSetting: found[2] === "=" }]
  })

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
  readonly fix: string
}> = [
  {
    name: "ALLOWED_ORIGINS",
    separator: /,/,
    isUsed: (entry) => normaliseOrigin(entry) !== undefined,
    fix: "Write each address as the browser shows it, such as https://console.example.org, with commas between them."
  },
  {
    name: "CSP_CONNECT_EXTRA",
    separator: /\s+/,
    isUsed: (entry) => /^(https?|wss?):/i.test(entry),
    fix: "Write addresses that begin with https://, http://, wss:// or ws://, with spaces between them."
  },
  {
    name: "WS_ALLOWED_HOSTS",
    separator: /,/,
    isUsed: (entry) => /^(\[[\da-f:.]+\]|[\da-f:.]*:[\da-f:.]*:[\da-f:.]*|[\w.-]+)$/i.test(entry),
    fix: "Write host names or addresses only, without a scheme, port or path, with commas between them."
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
  readonly as: string
}> = [
  { name: "SVC_PASSWORD_HASH", needs: "SVC_AUTH", isMet: /^(true|1)$/, as: "isn't true" },
  { name: "SVC_SESSION_SECRET", needs: "SVC_AUTH", isMet: /^(true|1)$/, as: "isn't true" },
  { name: "NOTIFY_SECRET", needs: "NOTIFY_URL", isMet: /./, as: "isn't set" }
]

/** Everything that was set and has no effect, in the order of the settings. */
export const settingNotes = ({ environment, dotEnv }: SettingSources): ReadonlyArray<SettingNote> => {
  const inFile = parseDotEnv(dotEnv)
  const lines = linesOf(dotEnv)
  const all = mergeVariables([environment, inFile])
  const lineOf = (name: string) => lines.findLast((line) => line.isSetting && line.name === name)?.number
  const fromFile = (name: string) => (environment[name]?.trim() ?? "") === "" && inFile[name] !== undefined
  const place = (name: string, isInFile = fromFile(name)) =>
    isInFile ? `.env, line ${lineOf(name) ?? 1}` : "environment"

  const unknown = (name: string, isInFile: boolean): SettingNote => {
    const meant = nearestName(name, SETTING_NAMES)
    return {
      detail: `${name} (${place(name, isInFile)}) isn't a setting of the console.`,
      fix: meant === undefined ? "Remove it, or look its name up in .env.example." : `Did you mean ${meant}?`
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
      .map(({ number }) => ({ detail: `Line ${number} of .env has no effect.`, fix: "Write it as NAME=value." })),
    ...lines
      .filter(({ name, number, isSetting }) => isSetting && SETTING_NAMES.includes(name) && number !== lineOf(name))
      .map(({ name, number }) => ({
        detail: `${name} (.env, line ${number}) has no effect, since line ${lineOf(name)} sets it again.`,
        fix: "Remove one of the two lines."
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
        .map((entry) => ({ detail: `${entry} in ${name} (${place(name)}) has no effect.`, fix }))
    ),
    ...(all.PUSH_CONTACT === undefined || isReachable(all.PUSH_CONTACT.trim())
      ? []
      : [
          {
            detail: `PUSH_CONTACT (${place("PUSH_CONTACT")}) isn't an address on the Internet, so some push services refuse the console's notifications.`,
            fix: "Set it to a mail address or a page that others can reach, such as mailto:me@example.org."
          }
        ]),
    ...[unusedPath(all.GATEWAY_URL ?? "")]
      .filter((path) => path !== undefined)
      .map((path) => ({
        detail: `${path} in GATEWAY_URL (${place("GATEWAY_URL")}) has no effect.`,
        fix: "Give the gateway a name or a port of its own; it can't be below a path."
      })),
    ...(all.SVC_LANGUAGE === undefined || isLanguage(all.SVC_LANGUAGE)
      ? []
      : [
          {
            detail: `SVC_LANGUAGE (${place("SVC_LANGUAGE")}) isn't a language of the voices, so English is used.`,
            fix: `Set it to one of: ${LANGUAGES.join(", ")}.`
          }
        ]),
    ...NEEDS.filter(({ name, needs, isMet }) => all[name] !== undefined && !isMet.test(all[needs]?.trim() ?? "")).map(
      ({ name, needs, as }) => ({
        detail: `${name} (${place(name)}) has no effect while ${needs} ${as}.`,
        fix: `Set ${needs}, or remove ${name}.`
      })
    )
  ]
}
