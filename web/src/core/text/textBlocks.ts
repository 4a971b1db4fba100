import type { Links, Token, TokensList } from "marked"

/** A piece of a Markdown text that is drawn by itself. */
export interface TextBlock {
  readonly raw: string
  /** It ends in code or a formula without its end, which may still be being written. */
  readonly isOpen: boolean
  /** The block of code that it is, as the parser has read it. */
  readonly code: Token | null
  /** The source of the diagram that it is. */
  readonly diagram: string | null
}

/** A text as its pieces, which make it up, and its definitions of addresses. */
export interface ReadText {
  readonly blocks: ReadonlyArray<TextBlock>
  readonly links: Links
}

type Read = (markdown: string) => TokensList

const OPENING = /^ {0,3}(`{3,}|~{3,})/
const CLOSING = /^ {0,3}(`+|~+)$/

/** A block of code without its closing fence. */
const isOpenFence = (token: Token): boolean => {
  const fence = token.type === "code" ? OPENING.exec(token.raw)?.[1] : undefined
  if (fence === undefined) return false
  const text = token.raw.trimEnd()
  const closing = CLOSING.exec(text.slice(text.lastIndexOf("\n") + 1))?.[1] ?? ""
  return !text.includes("\n") || !closing.startsWith(fence)
}

const isOpen = (token: Token | undefined): boolean => {
  if (token === undefined) return false
  if (token.type === "list") return isOpen(token.items.at(-1)?.tokens.at(-1))
  if (token.type === "blockquote") return isOpen(token.tokens?.at(-1))
  return ("isOpen" in token && token.isOpen === true) || isOpenFence(token)
}

const diagramOf = (token: Token): string | null =>
  token.type === "code" && /^mermaid\b/.test(token.lang ?? "") && !isOpenFence(token) ? token.text : null

const blockOf = (token: Token): TextBlock => ({
  raw: token.raw,
  isOpen: isOpen(token),
  code: token.type === "code" ? token : null,
  diagram: diagramOf(token)
})

/** One piece for each part of the highest level; empty lines belong to what stands before them. */
const blocksOf = (tokens: ReadonlyArray<Token>): ReadonlyArray<TextBlock> => {
  const blocks: Array<TextBlock> = []
  for (const [index, token] of tokens.entries()) {
    const last = blocks.at(-1)
    const continues = token.type === "space" || (token.type === "def" && tokens[index - 1]?.type === "def")
    if (last === undefined || !continues) blocks.push(blockOf(token))
    else blocks[blocks.length - 1] = { ...last, raw: last.raw + token.raw }
  }
  return blocks
}

/** Reads a text that has its end. */
export const readText = (read: Read, text: string): ReadText => {
  const tokens = read(text)
  return { blocks: blocksOf(tokens), links: tokens.links }
}

/** Beginnings that are kept, one for each text that grows at the same time. */
const KEPT = 8

interface Beginning extends ReadText {
  readonly text: string
}

const NOTHING: Beginning = { text: "", blocks: [], links: {} }

const endsWithEmptyLine = ({ raw }: TextBlock): boolean => raw.slice(raw.trimEnd().length).split("\n").length > 2
const hasLine = ({ raw }: TextBlock): boolean => raw.trimStart().includes("\n")

/**
 * How many pieces nothing that follows can change: those before the last empty line with a whole line after it. Whether
 * that line goes on with what stands before it can't be told from a part of it.
 */
const settledCount = (blocks: ReadonlyArray<TextBlock>): number => {
  for (let at = blocks.length - 1; at > 0; at--) {
    const [before, block] = [blocks[at - 1], blocks[at]]
    if (before !== undefined && block !== undefined && endsWithEmptyLine(before) && hasLine(block)) return at
  }
  return 0
}

/** Of two definitions of a label the first counts; they stay in their order. */
const withMore = (links: Links, more: Links): Links => ({ ...links, ...more, ...links })

/** Reads texts that grow; what can't change any more is read once. */
export const createGrowingReader = (read: Read): ((text: string) => ReadText) => {
  const beginnings: Array<Beginning> = []

  /** The longest beginning of a text that is known; it's the last to be forgotten. */
  const take = (text: string): Beginning => {
    const fitting = beginnings.filter((one) => text.startsWith(one.text))
    const longest = fitting.reduce((best, one) => (one.text.length > best.text.length ? one : best), NOTHING)
    const at = beginnings.indexOf(longest)
    if (at >= 0) beginnings.splice(at, 1)
    return longest
  }

  /** Reads the end of a text. Half an address isn't one yet. */
  const readTail = (tail: string): TokensList => {
    const tokens = read(tail)
    const last = tokens.at(-1)
    return last?.type === "def" && !last.raw.endsWith("\n") ? read(tail.slice(0, -last.raw.length)) : tokens
  }

  return (text) => {
    const known = take(text)
    const tokens = readTail(text.slice(known.text.length))
    const blocks = blocksOf(tokens)
    const settled = blocks.slice(0, settledCount(blocks))
    const added = settled.map(({ raw }) => raw).join("")
    if (known.text !== "" || added !== "") {
      const links = added === "" ? known.links : withMore(known.links, read(added).links)
      beginnings.push({ text: known.text + added, blocks: [...known.blocks, ...settled], links })
      if (beginnings.length > KEPT) beginnings.shift()
    }
    return { blocks: [...known.blocks, ...blocks], links: withMore(known.links, tokens.links) }
  }
}
