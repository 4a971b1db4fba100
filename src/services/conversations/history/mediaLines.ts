import { imageAddress, safeLink } from "../../../contract/safeAddress.ts"

const FENCE = /^(\s*)(`{3,}|~{3,})(.*)$/
/** Spaces that a closing fence has at most before it, counted from where its block of code begins. */
const MAX_INDENT = 3

/** A fence that begins a block of code. */
interface Fence {
  readonly mark: string
  /** Characters before it. */
  readonly indent: number
}

/** The fence that is open after a line, for who only has lines: what draws a text asks its parser. */
function fenceAfter(open: Fence | null, line: string): Fence | null {
  const [, space = "", mark = "", rest = ""] = FENCE.exec(line) ?? []
  if (mark === "") return open
  if (open === null) return mark.startsWith("`") && rest.includes("`") ? null : { mark, indent: space.length }
  const isEnd =
    mark[0] === open.mark[0] &&
    mark.length >= open.mark.length &&
    rest.trim() === "" &&
    space.length <= open.indent + MAX_INDENT
  return isEnd ? null : open
}

/** A line with which an agent sends a file: this word, then where the file is. */
const SENDS = /^MEDIA:\s*(\S.*)$/
/** Such a line while it is still being written, if the gateway passes on its beginning. */
const BEGUN = /^\s*(?:ME|MED|MEDI|MEDIA|MEDIA:.*)$/
const SPLIT = /\s+(?=MEDIA:)/
const PLACE = /^(?:https?:\/\/|file:\/\/|data:image\/|\/|~\/|\.{1,2}\/|[A-Za-z]:[\\/])/i
const EXTENSION = /\.\w{1,10}$/

const KINDS: ReadonlyArray<readonly [NonNullable<ChatMedia["kind"]> | undefined, RegExp]> = [
  [undefined, /\.(?:png|jpe?g|gif|webp|svg|avif|bmp|heic)$/i],
  ["audio", /\.(?:mp3|wav|ogg|oga|opus|m4a|aac|flac)$/i],
  ["video", /\.(?:mp4|webm|mov|m4v|ogv)$/i]
]

/** A file's kind by its name, undefined for a picture. */
export const mediaKind = (name: string): ChatMedia["kind"] => {
  const found = KINDS.find(([, pattern]) => pattern.test(name))
  return found === undefined ? "file" : found[0]
}

const unquoted = (text: string): string => /^(["'`])(.*)\1$/.exec(text)?.[2]?.trim() ?? text

const isPlace = (text: string): boolean =>
  PLACE.test(text) || (!/\s/.test(text) && (text.includes("/") || EXTENSION.test(text)))

/** The places a line names; none if it isn't such a line. */
function placesOf(line: string): ReadonlyArray<string> {
  const named = line
    .trim()
    .split(SPLIT)
    .map((piece) => SENDS.exec(piece)?.[1])
  const places: Array<string> = []
  for (const name of named) {
    if (name === undefined) return []
    const whole = unquoted(name)
    const words = whole === name ? name.split(/\s+/) : [whole]
    const found = words.length > 1 && words.every((word) => PLACE.test(word)) ? words : [whole]
    if (!found.every(isPlace)) return []
    places.push(...found)
  }
  return places
}

interface Taken {
  /** The text without those lines. */
  readonly text: string
  readonly places: ReadonlyArray<string>
}

/** Removes lines that are outside code from a text. */
function takeLines(text: string, take: (line: string) => ReadonlyArray<string> | null): Taken {
  if (!/MED?/.test(text)) return { text, places: [] }
  const places: Array<string> = []
  let fence: Fence | null = null
  let isTaken = false
  const kept = text.split("\n").filter((line) => {
    fence = fenceAfter(fence, line)
    const found = fence === null ? take(line) : null
    if (found === null) return true
    places.push(...found)
    isTaken = true
    return false
  })
  return isTaken ? { text: kept.join("\n").trim(), places } : { text, places }
}

/** The files a response sends with lines in its text, and the text without those lines. */
export const takeMediaLines = (text: string): Taken =>
  takeLines(text, (line) => {
    const places = placesOf(line)
    return places.length === 0 ? null : places
  })

/**
 * A text still being written, without the lines that send files: each becomes a place, empty while only the beginning
 * of the line is there.
 */
export const hideMediaLines = (text: string): Taken =>
  takeLines(text, (line) => {
    if (!BEGUN.test(line) || /^\s*MEDIA:\s+[^/~.]*$/.test(line)) return null
    const places = placesOf(line)
    return places.length === 0 ? [""] : places
  })

/** Only the text of that. */
export const withoutMediaLines = (text: string): string => hideMediaLines(text).text

/** A file's name by its location. */
export const nameOfPlace = (place: string): string => {
  const path = place.startsWith("data:") ? "" : place.replace(/[?#].*$/, "").replace(/[/\\]+$/, "")
  const name = path.split(/[/\\]/).at(-1) ?? ""
  return name === "" ? "picture" : name
}

/** A file an agent names in its text, which no gateway serves: pictures come from the disk, others aren't available. */
export function mediaAt(place: string, agent: string): ChatMedia {
  const name = nameOfPlace(place)
  const picture = imageAddress(place, agent)
  if (picture !== null) return { name, src: picture }
  const link = safeLink(place)
  if (link !== null) return { name, src: link, kind: "link" }
  const kind = mediaKind(name)
  return { name, src: null, ...(kind === undefined ? {} : { kind }), problem: "ONLY_ON_GATEWAY" }
}

/** A picture, recording or file in a message. */
export interface ChatMedia {
  /** Its name; also for people who can't see it. */
  readonly name: string
  /** Where to show or download it from; null if it isn't available, or not yet. */
  readonly src: string | null
  /** Absent for a picture; a `link` leads outside the console. */
  readonly kind?: "audio" | "video" | "file" | "link"
  /** It hasn't arrived yet: its place is reserved. */
  readonly pending?: true
  /** Why it can't be shown. */
  readonly problem?: MediaProblem
}

export type MediaProblem = "NO_LONGER_AVAILABLE" | "NOT_SHOWN" | "ONLY_ON_GATEWAY"
