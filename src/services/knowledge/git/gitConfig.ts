/** Settings of the sections `core` and `extensions` by lower-case name, such as `core.filemode`; the last one wins. */
export type GitConfig = ReadonlyMap<string, string>

const SECTIONS: ReadonlySet<string> = new Set(["core", "extensions"])

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
  ["\\", "\\"],
  ['"', '"']
])

// The text has one character per byte, so only ASCII blanks count.
const BLANK_LINES = /[ \t\n\v\f\r]*/y
const SECTION = /[A-Za-z0-9.-]*/y
const PART = /[^"\\\n]*/y
const KEY = /[A-Za-z][A-Za-z0-9-]*/y
const BLANK = /[ \t]*/y
const PLAIN = /[^"\\\n#; \t]*/y
const QUOTED = /[^"\\\n]*/y

/** The end of a sticky pattern's match at an offset; the offset itself without a match. */
const endOf = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at)
  return end < 0 ? text.length : end
}

/** Reads a value up to the end of its line, which a backslash continues; `undefined` if git would refuse it. */
const readValue = (text: string, start: number) => {
  const parts: Array<string> = []
  // Blanks before a comment or the line's end are ignored, those inside quotes aren't.
  let blanks = ""
  let isQuoted = false
  let at = start
  const add = (part: string) => {
    if (blanks !== "") parts.push(blanks)
    blanks = ""
    if (part !== "") parts.push(part)
  }
  while (at < text.length) {
    const character = text.charAt(at)
    if (character === "\n") break
    if (character === '"') {
      add("")
      isQuoted = !isQuoted
      at += 1
    } else if (character === "\\") {
      const escaped = text[at + 1] === "\n" ? "" : ESCAPES.get(text.charAt(at + 1))
      if (escaped === undefined) return undefined
      if (escaped !== "") add(escaped)
      at += 2
    } else if (isQuoted || !" \t#;".includes(character)) {
      const end = endOf(isQuoted ? QUOTED : PLAIN, text, at)
      add(text.slice(at, end))
      at = end
    } else if (character === "#" || character === ";") {
      at = lineEnd(text, at)
    } else {
      const end = endOf(BLANK, text, at)
      blanks += text.slice(at, end)
      at = end
    }
  }
  return isQuoted ? undefined : { value: parts.join(""), end: at }
}

/** Reads `[section]` or `[section "part"]` after its bracket; parts belong to no section that's read here. */
const readHeader = (text: string, start: number) => {
  const end = endOf(SECTION, text, start)
  const name = text.slice(start, end).toLowerCase()
  if (text[end] === "]") return { section: name, end: end + 1 }
  let at = endOf(BLANK, text, end)
  if (at === end || text[at] !== '"') return undefined
  for (at = endOf(PART, text, at + 1); text[at] === "\\"; at = endOf(PART, text, at + 2)) {}
  return text[at] === '"' && text[at + 1] === "]" ? { section: `${name}.`, end: at + 2 } : undefined
}

/** Reads what follows a name: nothing, which means "true", or a value. */
const readSetting = (text: string, start: number) => {
  const at = endOf(BLANK, text, start)
  if (text[at] === "=") return readValue(text, endOf(BLANK, text, at + 1))
  return at === text.length || "\n#;".includes(text.charAt(at)) ? { value: "true", end: at } : undefined
}

/**
 * Reads a repository's settings as git does, without includes; `undefined` if git would refuse the file. The result
 * isn't trusted: callers select known names and check the values.
 */
export const parseGitConfig = (file: string): GitConfig | undefined => {
  const text = file.replaceAll("\r\n", "\n")
  const found = new Map<string, string>()
  let section = ""
  let at = endOf(BLANK_LINES, text, 0)
  while (at < text.length) {
    const keyEnd = endOf(KEY, text, at)
    if (keyEnd > at) {
      const setting = readSetting(text, keyEnd)
      if (setting === undefined) return undefined
      if (SECTIONS.has(section)) found.set(`${section}.${text.slice(at, keyEnd).toLowerCase()}`, setting.value)
      at = setting.end
    } else if (text[at] === "[") {
      const header = readHeader(text, at + 1)
      if (header === undefined) return undefined
      section = header.section
      at = header.end
    } else if (text[at] === "#" || text[at] === ";") {
      at = lineEnd(text, at)
    } else {
      return undefined
    }
    at = endOf(BLANK_LINES, text, at)
  }
  return found
}
