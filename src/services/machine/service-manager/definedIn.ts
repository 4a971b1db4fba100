import { Effect, FileSystem } from "effect"
import { type Manager, type ServicePlaces, serviceFile } from "./serviceFiles.ts"

/** What the file of an installed service says. */
export interface InstalledDefinition {
  readonly directory: string | undefined
  readonly path: string | undefined
  readonly logFile: string | undefined
}

const NOTHING: InstalledDefinition = { directory: undefined, path: undefined, logFile: undefined }

/** Undoes what the unit's writer escapes. */
const plain = (text: string): string => text.replaceAll("%%", "%")
const unquoted = (text: string): string =>
  plain(text).replace(/\\(.)/g, (_all, character: string) => (character === "n" ? "\n" : character))

const CHARACTERS: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&apos;": "'"
}

const stringOf = (plist: string, key: string): string | undefined =>
  new RegExp(`<key>${key}</key>\\s*<string>([^<]*)</string>`)
    .exec(plist)?.[1]
    ?.replace(/&\w+;/g, (entity) => CHARACTERS[entity] ?? entity)

/** Reads the text of a unit or a property list that `service install` wrote. */
export const parseDefinition = (manager: Manager, text: string): InstalledDefinition => {
  if (manager === "launchd") {
    return {
      directory: stringOf(text, "WorkingDirectory"),
      path: stringOf(text, "PATH"),
      logFile: stringOf(text, "StandardOutPath")
    }
  }
  const directory = /^WorkingDirectory=(.*)$/m.exec(text)?.[1]
  const path = /^Environment="PATH=((?:[^"\\]|\\.)*)"$/m.exec(text)?.[1]
  return {
    directory: directory === undefined ? undefined : plain(directory),
    path: path === undefined ? undefined : unquoted(path),
    logFile: undefined
  }
}

/** What the installed service's file says; nothing if there's none that can be read. */
export const definedIn = (manager: Manager, places: ServicePlaces) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(serviceFile(manager, places))).pipe(
    Effect.map((text) => parseDefinition(manager, text)),
    Effect.orElseSucceed(() => NOTHING)
  )

/** The PATH of the service that runs the console of a folder, whichever manager has it. */
export const servicePathOf = Effect.fn("servicePathOf")(function* (directory: string, places: ServicePlaces) {
  const managers: ReadonlyArray<Manager> = ["systemd-user", "systemd-system", "launchd"]
  const found = yield* Effect.forEach(managers, (manager) => definedIn(manager, places))
  return found.find((one) => one.directory === directory)?.path
})
