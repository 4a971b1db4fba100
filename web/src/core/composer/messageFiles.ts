/** A file that comes with a message and is in the agent's workspace. */
export interface PlacedFile {
  readonly kind: "file"
  /** Relative to the workspace. */
  readonly path: string
  readonly size: string
}

/** A file that comes with a message as its text. */
export interface TextFile {
  readonly kind: "text"
  readonly name: string
  readonly size: string
  readonly text: string
}

export type MessageFile = PlacedFile | TextFile

/** What a person wrote, and the files that come with it. */
export interface MessageParts {
  readonly words: string
  readonly files: ReadonlyArray<MessageFile>
}

/** What agents read stays the same in every language. */
const HEAD = /^Attached (file|text): (.+) \((\d[\d.]* [KM]?B)\)$/
const FENCE = /^(`{3,})\w*$/

/** A fence that no line of the text ends. */
const fenceFor = (text: string): string => {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  return "`".repeat(longest + 1)
}

const blockOf = (file: MessageFile): string => {
  if (file.kind === "file") return `Attached file: ${file.path} (${file.size})`
  const fence = fenceFor(file.text)
  const language = /\.(\w{1,10})$/.exec(file.name)?.[1] ?? ""
  return `Attached text: ${file.name} (${file.size})\n${fence}${language}\n${file.text}\n${fence}`
}

/** A message as its agent gets it: the words, then where each file is, then the texts. */
export const joinMessage = ({ files, words }: MessageParts): string => {
  if (files.length === 0) return words
  const ordered = files.toSorted((left, right) => (left.kind === right.kind ? 0 : left.kind === "file" ? -1 : 1))
  return [words.trimEnd(), ...ordered.map(blockOf)].filter((part) => part !== "").join("\n\n")
}

/** The files that the lines from `start` on are about, and the first line that isn't about any. */
function filesFrom(
  lines: ReadonlyArray<string>,
  start: number
): { readonly files: ReadonlyArray<MessageFile>; readonly end: number } {
  const files: Array<MessageFile> = []
  let at = start
  for (;;) {
    while (lines[at]?.trim() === "") at += 1
    const [, kind, name, size] = HEAD.exec(lines[at] ?? "") ?? []
    if (name === undefined || size === undefined) return { files, end: at }
    at += 1
    if (kind === "file") files.push({ kind, path: name, size })
    else {
      const fence = FENCE.exec(lines[at] ?? "")?.[1]
      if (fence === undefined) return { files, end: at }
      const close = lines.indexOf(fence, at + 1)
      // A gateway may have cut the text.
      const end = close === -1 ? lines.length : close
      files.push({ kind: "text", name, size, text: lines.slice(at + 1, end).join("\n") })
      at = end + 1
    }
  }
}

/** The words of a message and its files, which are at its end. */
export function splitMessage(text: string): MessageParts {
  if (!text.includes("Attached ")) return { words: text, files: [] }
  const lines = text.split("\n")
  for (let at = 0; at < lines.length; ) {
    const { end, files } = HEAD.test(lines[at] ?? "") ? filesFrom(lines, at) : { end: at, files: [] }
    if (files.length > 0 && end >= lines.length) return { words: lines.slice(0, at).join("\n").trimEnd(), files }
    at = Math.max(end, at + 1)
  }
  return { words: text, files: [] }
}

/** A message with another one below it: the words, then the files of both. */
export const messageBelow = (...messages: ReadonlyArray<string>): string => {
  const parts = messages.map(splitMessage)
  return joinMessage({
    words: parts
      .map(({ words }) => words)
      .filter((words) => words.trim() !== "")
      .join("\n\n"),
    files: parts.flatMap(({ files }) => files)
  })
}
