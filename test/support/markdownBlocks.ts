import { parse, postprocess, preprocess } from "micromark"

/** One block of a markdown file: the lists and quotes around it, what it is, and its text. */
export interface MarkdownBlock {
  readonly path: string
  readonly kind: string
  readonly text: string
}

const CONTAINERS = new Set(["listUnordered", "listOrdered", "blockQuote"])
const LEAVES = new Set([
  "paragraph",
  "atxHeading",
  "setextHeading",
  "codeFenced",
  "codeIndented",
  "htmlFlow",
  "thematicBreak",
  "definition"
])

/** The blocks of a file in order, as micromark reads it. The start of a list item is a block of its own. */
export const markdownBlocks = (file: string): ReadonlyArray<MarkdownBlock> => {
  const around: Array<string> = []
  const blocks: Array<MarkdownBlock> = []
  const events = postprocess(
    parse()
      .document()
      .write(preprocess()(file, undefined, true))
  )
  for (const [step, token, context] of events) {
    const { type } = token
    if (CONTAINERS.has(type)) {
      if (step === "enter") around.push(type)
      else around.pop()
    }
    if (step === "exit") continue
    const path = around.join(" ")
    if (type === "listItemPrefix") blocks.push({ path, kind: "item", text: "" })
    if (LEAVES.has(type)) {
      blocks.push({ path, kind: type, text: context.sliceSerialize(token).replace(/\s+/g, " ").trim() })
    }
  }
  return blocks
}
