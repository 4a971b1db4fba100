/** A tool that the model shall call. */
export interface ToolOrder {
  readonly name: string
  readonly args: unknown
}

/** What a message orders the scripted model to do. */
export interface Orders {
  /** The message without its orders. */
  readonly plain: string
  readonly tools: ReadonlyArray<ToolOrder>
  readonly values: ReadonlyMap<string, string>
}

const OPENING = "[[mock:"
const CLOSING = "]]"

/** Words that stand for orders when they are the whole message, for people who try things by hand. */
const SCENES: Readonly<Record<string, string>> = {
  slow: `[[mock:text=This answer takes its time. ]][[mock:repeat=12]][[mock:chunks=60]][[mock:delay=400]]`,
  tool: `[[mock:before=Let me look.]][[mock:tool=exec {"command":"date"}]]`,
  approval: `[[mock:tool=exec {"command":"touch approved.txt"}]]`,
  question: `[[mock:tool=ask_user ${JSON.stringify({
    questions: [
      { id: "colour", header: "Colour", question: "Which colour?", options: [{ label: "Red" }, { label: "Blue" }] }
    ]
  })}]]`,
  think: "[[mock:think=First I think about it, then I answer.]][[mock:text=I have thought about it.]]",
  fail: "[[mock:error=400]]",
  hang: "[[mock:text=This answer never ends.]][[mock:hang]]"
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A tool's order from its name to where it ends: its arguments may contain the closing brackets themselves. */
const toolAt = (text: string, from: number): { readonly tool: ToolOrder; readonly end: number } | undefined => {
  const name = /^\s*([\w.-]+)\s*/.exec(text.slice(from))
  if (name === null) return undefined
  const start = from + name[0].length
  for (let end = text.indexOf(CLOSING, start); end !== -1; end = text.indexOf(CLOSING, end + 1)) {
    const given = text.slice(start, end).trim()
    const args = given === "" ? {} : parsed(given)
    if (args !== undefined) return { tool: { name: name[1] ?? "", args }, end: end + CLOSING.length }
  }
  return undefined
}

const read = (text: string): Orders => {
  const tools: Array<ToolOrder> = []
  const values = new Map<string, string>()
  let plain = ""
  let at = 0
  for (;;) {
    const opening = text.indexOf(OPENING, at)
    const [, name = "", equals = ""] =
      opening === -1 ? [] : (/^(\w+)(=?)/.exec(text.slice(opening + OPENING.length)) ?? [])
    const value = opening + OPENING.length + name.length + equals.length
    const tool = name === "tool" ? toolAt(text, value) : undefined
    const closing = text.indexOf(CLOSING, value)
    if (name === "" || (tool === undefined && closing === -1))
      return { plain: `${plain}${text.slice(at)}`.trim(), tools, values }
    plain += text.slice(at, opening)
    if (tool === undefined) {
      if (!values.has(name)) values.set(name, text.slice(value, closing))
    } else tools.push(tool.tool)
    at = tool?.end ?? closing + CLOSING.length
  }
}

/** The orders in what somebody wrote. */
export const ordersIn = (text: string): Orders =>
  read(Object.hasOwn(SCENES, text.trim()) ? (SCENES[text.trim()] ?? "") : text)
