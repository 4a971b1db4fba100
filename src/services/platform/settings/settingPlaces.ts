import { parseDotEnv, type SettingSources } from "./variables.ts"

const SETTING_LINE = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_-]*)\s*(=?)/

/** A line of `.env` that begins with a name. */
interface Line {
  readonly number: number
  readonly name: string
  /** Whether it sets something: a name alone doesn't. */
  readonly isSetting: boolean
}

const linesOf = (dotEnv: string): ReadonlyArray<Line> =>
  dotEnv.split(/\r?\n/).flatMap((text, index) => {
    const found = SETTING_LINE.exec(text.replace(/^\uFEFF/, ""))
    return found === null ? [] : [{ number: index + 1, name: found[1] ?? "", isSetting: found[2] === "=" }]
  })

/** Where each setting stands: the environment comes before `.env`, and there the last line counts. */
export const settingPlaces = ({ environment, dotEnv }: SettingSources) => {
  const inFile = parseDotEnv(dotEnv)
  const lines = linesOf(dotEnv)
  const lineOf = (name: string) => lines.findLast((line) => line.isSetting && line.name === name)?.number
  const isFromFile = (name: string) => (environment[name]?.trim() ?? "") === "" && inFile[name] !== undefined
  return {
    inFile,
    lines,
    lineOf,
    /** The line of `.env` that sets it; `undefined` for the environment. */
    fileLineOf: (name: string) => (isFromFile(name) ? (lineOf(name) ?? 1) : undefined)
  }
}
