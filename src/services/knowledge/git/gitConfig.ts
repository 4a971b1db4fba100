/** Settings of the sections `core` and `extensions` by lower-case name, such as `core.filemode`; the last one counts. */
export type GitConfig = ReadonlyMap<string, string>

const SECTIONS: ReadonlySet<string> = new Set(["core", "extensions"])

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["b", "\b"],
  ["\\", "\\"],
  ['"', '"']
])

// The text has one character a byte, so only ASCII's blanks are blanks.
const BLANKS = " \t\n\v\f\r"
const SECTION_END = /[\] \t\n\v\f\r]/g
const KEY = /[A-Za-z][A-Za-z0-9-]*/y
const BLANK = /[ \t]*/y
const LINE_END = /\n|$/g

/** Where a pattern matches at or after a place, and what matched. */
const matchFrom = (pattern: RegExp, text: string, at: number) => {
  pattern.lastIndex = at
  return pattern.exec(text)
}

/** Reads a value up to the end of its line, which a backslash continues; `undefined` if git would refuse it. */
const readValue = (text: string, start: number) => {
  let value = ""
  let kept = 0
  let isQuoted = false
  let at = start
  for (; at < text.length && text[at] !== "\n"; at += 1) {
    const character = text.charAt(at)
    if (character === '"') {
      isQuoted = !isQuoted
      kept = value.length
    } else if (character === "\\") {
      at += 1
      if (text[at] === "\n") continue
      const escaped = ESCAPES.get(text.charAt(at))
      if (escaped === undefined) return undefined
      value += escaped
      kept = value.length
    } else if (!isQuoted && (character === "#" || character === ";")) {
      at = matchFrom(LINE_END, text, at)?.index ?? text.length
      break
    } else {
      value += character
      if (isQuoted || (character !== " " && character !== "\t")) kept = value.length
    }
  }
  // Blanks before a comment or the line's end don't count, those inside quotes do.
  return isQuoted ? undefined : { value: value.slice(0, kept), end: at }
}

/** Reads `[section]` or `[section "part"]` after its bracket; parts belong to no section that's read here. */
const readHeader = (text: string, start: number) => {
  const first = matchFrom(SECTION_END, text, start)
  if (first === null) return undefined
  const name = text.slice(start, first.index).toLowerCase()
  if (!/^[a-z0-9.-]*$/.test(name)) return undefined
  if (first[0] === "]") return { section: name, end: first.index + 1 }
  let at = first.index + (matchFrom(BLANK, text, first.index)?.[0].length ?? 0)
  if (text[at] !== '"') return undefined
  for (at += 1; at < text.length && text[at] !== '"'; at += 1) {
    if (text[at] === "\n") return undefined
    if (text[at] === "\\") at += 1
  }
  return text[at + 1] === "]" ? { section: `${name}.`, end: at + 2 } : undefined
}

/**
 * Reads a repository's settings as git does, without following what they include; `undefined` if git would refuse the
 * file. Nothing of it is used as it stands: whoever asks picks names and knows which values there are.
 */
export const parseGitConfig = (file: string): GitConfig | undefined => {
  const text = file.replaceAll("\r\n", "\n")
  const found = new Map<string, string>()
  let section = ""
  let at = 0
  while (at < text.length) {
    const character = text.charAt(at)
    if (BLANKS.includes(character)) {
      at += 1
    } else if (character === "#" || character === ";") {
      at = matchFrom(LINE_END, text, at)?.index ?? text.length
    } else if (character === "[") {
      const header = readHeader(text, at + 1)
      if (header === undefined) return undefined
      section = header.section
      at = header.end
    } else {
      const key = matchFrom(KEY, text, at)?.[0]
      if (key === undefined) return undefined
      at += key.length
      at += matchFrom(BLANK, text, at)?.[0].length ?? 0
      // A name alone means "true".
      let value = "true"
      if (text[at] === "=") {
        at += 1
        const read = readValue(text, at + (matchFrom(BLANK, text, at)?.[0].length ?? 0))
        if (read === undefined) return undefined
        value = read.value
        at = read.end
      } else if (at < text.length && text[at] !== "\n" && text[at] !== "#" && text[at] !== ";") return undefined
      if (SECTIONS.has(section)) found.set(`${section}.${key.toLowerCase()}`, value)
    }
  }
  return found
}
