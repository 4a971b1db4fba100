/** Longest file. */
const MAX_LINES = 400

/** Where a file stands in the house; nothing imports from a floor above its own. */
const FLOORS = ["services", "http", "layers", "cli"]

interface Ban {
  readonly pattern: RegExp
  readonly says: string
}

/** Rules the web app shares; every byte of Effect in them would be on its first screen. */
const SHARED_WITH_BROWSER = /^src\/services\/markers\//

/** Bans where Effect has a word of its own for it (DESIGN "The house" 7). */
const EFFECT_BANS: ReadonlyArray<Ban> = [
  { pattern: /\basync\b/, says: "`async`: write an Effect" },
  { pattern: /\btry\s*\{/, says: "`try`: use Effect.try or Result.try" },
  { pattern: /\bDate\.now\b|\bnew Date\(\s*\)/, says: "the system's clock: use Clock or DateTime" },
  { pattern: /(?<![.\w])set(Timeout|Interval|Immediate)\b/, says: "a timer: use Effect.sleep or Schedule" },
  { pattern: /\bMath\.random\b/, says: "`Math.random`: use Random" },
  { pattern: /\bprocess\.env\b/, says: "`process.env`: use Settings" },
  { pattern: /(?<![.\w])fetch\(/, says: "global `fetch`: use HttpClient" }
]

/** A type after `as`; `as const`, imports and exports under another name are no casts. */
const CAST = /\bas\s+(?!const\b)[A-Za-z{[(]/

const EVASIONS = /biome-ignore|@ts-ignore|@ts-nocheck|eslint-disable/
const LEFTOVERS = /\b(TODO|FIXME|XXX|HACK)\b/
const IMPORT_PATH = /\b(?:from|import)\s*\(?\s*"(\.[^"]*)"/g
const RENAMING = /^\s*(?:import|export)\b[^"'`]*?\bfrom\b/gm
const KNOWN_ENDING = /\.(tsx?|mjs|json|css)(\?\w+)?$/

/** Comments, texts and regular expressions, each whole; what they say is not code. */
const NOT_CODE =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![/*])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g

const codeOf = (text: string): string => text.replace(NOT_CODE, (piece) => (piece.startsWith("/") ? " " : '""'))

const floorOf = (file: string): number => FLOORS.indexOf(/^src\/([^/]+)\//.exec(file)?.[1] ?? "")

const upwards = (file: string, target: string): boolean => {
  const own = floorOf(file)
  const path = new URL(target, `file:///${file}`).pathname.slice(1)
  return own !== -1 && floorOf(path) > own
}

/** What one TypeScript file does against the rules of the house; `file` is relative to the project. */
export const houseProblems = (file: string, text: string): ReadonlyArray<string> => {
  const problems: Array<string> = []
  const code = codeOf(text)
  const lines = text.split("\n").length - 1
  if (lines > MAX_LINES) problems.push(`${lines} lines, at most ${MAX_LINES}`)
  if (/^src\/(services|http)\//.test(file) && !SHARED_WITH_BROWSER.test(file)) {
    for (const ban of EFFECT_BANS) if (ban.pattern.test(code)) problems.push(ban.says)
  }
  // The texts between tags are English and may say "as"; the type checker alone watches those files.
  if (file.endsWith(".ts") && CAST.test(code.replace(RENAMING, "")))
    problems.push("a cast with `as`: decode it or narrow it")
  if (EVASIONS.test(text)) problems.push("a comment that silences a check")
  if (LEFTOVERS.test(text)) problems.push("a note about unfinished work")
  for (const [, target = ""] of text.matchAll(IMPORT_PATH)) {
    if (!KNOWN_ENDING.test(target)) problems.push(`import of "${target}": say the file's whole name`)
    if (upwards(file, target)) problems.push(`import of "${target}": from a floor above`)
  }
  return problems
}
