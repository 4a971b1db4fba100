const MOST = 10
/** If no line names an error, the end says the most. */
const MOST_WITHOUT_MARK = 5

// biome rejects a literal escape character in an expression.
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g")

const NOISE: ReadonlyArray<RegExp> = [
  // Stack frames, and the fields of the error.
  /^(?:npm (?:error|ERR!))?\s+at .*(?:\)|:\d+)(?: \{)?$/,
  /^(?:npm (?:error|ERR!))?\s+(?:code|errno|syscall|address|port|type|path|dest|hostname): .*$/,
  /^(?:npm (?:error|ERR!))?\s*\}?$/,
  /^Node\.js v\d/,
  /^npm (?:error|ERR!) A complete log of this run/,
  /^npm (?:warn|WARN|notice)\b/,
  // Build progress: steps, and every file with its size.
  /^(?:\u2713|\u2717|vite v\d|transforming|rendering chunks|computing gzip|> )/,
  /^\S+\s+[\d.,]+\s*[kM]?B\b/
]

const MARKS: ReadonlyArray<RegExp> = [
  /^npm (?:error|ERR!)/,
  /^(?:fatal|error)\b/i,
  /(?:^|[\s[(])(?:[A-Z]\w*)?error(?: [A-Z]+\d+)?:/i,
  /\b(?:ENOSPC|ENOMEM|EACCES|EPERM|EROFS|ENOTFOUND|ETIMEDOUT|ECONNREFUSED|ECONNRESET|EINTEGRITY)\b/,
  /\bout of memory\b|^Killed$/i
]

/**
 * The lines in which a failed program says what went wrong, without progress output and internals; `folders` are
 * removed from paths, longest first.
 */
export const errorLines = (output: string, folders: ReadonlyArray<string>): ReadonlyArray<string> => {
  const lines = folders
    .reduce((text, folder) => text.replaceAll(`${folder}/`, ""), output.replace(COLOURS, ""))
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .filter((line) => !NOISE.some((noise) => noise.test(line)))
  const first = lines.findIndex((line) => MARKS.some((mark) => mark.test(line)))
  return first === -1 ? lines.slice(-MOST_WITHOUT_MARK) : lines.slice(first, first + MOST)
}
