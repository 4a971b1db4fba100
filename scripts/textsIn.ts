import { parseAst, transformWithOxc } from "vite"

/** The parts of a syntax tree node that are looked at. */
interface Node {
  readonly type: string
  readonly [field: string]: unknown
}

/** What a source file of the page says to people. */
export interface FoundTexts {
  /** English texts that go through the catalogue, by their keys. */
  readonly texts: ReadonlyArray<string>
  /** Texts that don't. */
  readonly outside: ReadonlyArray<string>
}

/** Attributes and properties that people read or hear. */
const SPOKEN =
  /^(?:label|title|alt|placeholder|hint|text|message|note|empty|description|details|summary|heading|legend|caption|group|\w+Label|aria-(?:label|description|roledescription|valuetext|placeholder))$/

/** A sentence, a part of one, the beginning of a label of several words, where a value may be the first, or one word. */
const SENTENCE =
  /^\p{Lu}[^_/\\<>{}=]*\s\S|(?:\p{L}{2}|\{\}).*\s.*[.…?!]$|^\{\} \p{Ll}{3,}|^\p{Lu}\p{Ll}{2,}$|^\p{Ll}[\p{L}'’]*,?(?: [\p{L}'’]+,?){2,}$/u
/** Names of keys, where nobody hears or reads them as a label. */
const KEY = /^(?:Alt|Control|Ctrl|Delete|End|Enter|Esc|Home|Meta|Shift)$/
const WORD = /\p{L}{2}/u

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nodesIn = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value : [value]).filter(isNode)

const childrenOf = (node: Node): ReadonlyArray<Node> => Object.values(node).flatMap(nodesIn)

/** The text of a literal, or of a template with `{}` for each value; null for anything else. */
const literalOf = (node: Node | undefined): string | null => {
  if (node?.type === "Literal") return typeof node.value === "string" ? node.value : null
  if (node?.type === "JSXText") return String(node.value).replace(/\s+/g, " ").trim()
  if (node?.type !== "TemplateLiteral") return null
  return nodesIn(node.quasis)
    .map(({ value }) => (typeof value === "object" && value !== null && "cooked" in value ? String(value.cooked) : ""))
    .join("{}")
}

const nameOf = (value: unknown): string => {
  if (!isNode(value)) return ""
  if (value.type === "JSXNamespacedName") return `${nameOf(value.namespace)}:${nameOf(value.name)}`
  return String(value.name ?? value.value ?? "")
}

/** Calls whose texts are found, and how their arguments make a key. */
const KEYS = new Map<string, (args: ReadonlyArray<string | null>) => string | null>([
  ["say", ([text = null]) => text],
  ["piecesOf", ([text = null]) => text],
  ["sayCount", ([, one = null, other = null]) => (one === null || other === null ? null : `${one}|${other}`)]
])

/** Calls and constructions whose strings nobody reads. */
const UNREAD =
  /^(?:Error|TypeError|RegExp|URL|import|require|querySelector|querySelectorAll|closest|matches|startsWith|endsWith|includes|test|replaceAll|split|join|getItem|setItem|addEventListener|removeEventListener)$/

/** The words of a list that is written out, such as `["off", "low"]`; null for anything else. */
const wordsOf = (node: Node | undefined): ReadonlyArray<string> | null => {
  if (node?.type !== "ArrayExpression") return null
  const words = nodesIn(node.elements).map(literalOf)
  return words.length > 0 && words.every((word) => word !== null && WORD.test(word))
    ? words.flatMap((word) => word ?? [])
    : null
}

/** The lists of words that a module's constants hold, by their names. */
const wordLists = (tree: Node): ReadonlyMap<string, ReadonlyArray<string>> => {
  const statements = nodesIn(tree.body).flatMap((node) =>
    node.type === "ExportNamedDeclaration" ? nodesIn(node.declaration) : [node]
  )
  const constants = statements.flatMap((node) =>
    node.type === "VariableDeclaration" ? nodesIn(node.declarations) : []
  )
  return new Map(
    constants.flatMap((node) => {
      const words = wordsOf(nodesIn(node.init)[0])
      return words === null ? [] : [[nameOf(node.id), words] as const]
    })
  )
}

/** Whether something within a function says a value of that name to people as it is. */
const saysPlain = (node: Node, name: string): boolean => {
  const isIt = (value: Node | undefined) => value?.type === "Identifier" && value.name === name
  if (node.type === "Property" && SPOKEN.test(nameOf(node.key)) && isIt(nodesIn(node.value)[0])) return true
  if (node.type === "JSXAttribute" && SPOKEN.test(nameOf(node.name)))
    return nodesIn(node.value).some((value) => isIt(nodesIn(value.expression)[0]))
  if (node.type === "JSXElement" || node.type === "JSXFragment") {
    const isChild = nodesIn(node.children).some(
      (child) => child.type === "JSXExpressionContainer" && isIt(nodesIn(child.expression)[0])
    )
    if (isChild) return true
  }
  return childrenOf(node).some((child) => saysPlain(child, name))
}

const calleeOf = (node: Node): string => {
  const callee = node.callee
  if (!isNode(callee)) return ""
  return callee.type === "MemberExpression" ? nameOf(callee.property) : nameOf(callee)
}

/** Finds the texts of some source; `known` are strings that look like texts but aren't for people. */
export const textsInTree = (tree: unknown, known: ReadonlySet<string>): FoundTexts => {
  const texts: Array<string> = []
  const outside: Array<string> = []
  const lists = new Map(nodesIn(tree).flatMap((node) => [...wordLists(node)]))

  /** Words of a list that are said one by one. */
  const tellList = (node: Node): void => {
    const callee = nodesIn(node.callee)[0]
    const [each] = nodesIn(node.arguments)
    if (callee?.type !== "MemberExpression" || nameOf(callee.property) !== "map" || each === undefined) return
    const list = nodesIn(callee.object)[0]
    const words = wordsOf(list) ?? lists.get(nameOf(list))
    const [first] = nodesIn(each.params)
    if (words === undefined || first?.type !== "Identifier" || !saysPlain(each, nameOf(first))) return
    for (const word of words) if (!known.has(word)) outside.push(word)
  }

  const tell = (text: string | null, isSpoken: boolean): void => {
    if (text === null || known.has(text)) return
    if (isSpoken ? WORD.test(text.replace(/\{\}/g, "")) : SENTENCE.test(text) && !KEY.test(text)) outside.push(text)
  }

  const visitCall = (node: Node): void => {
    tellList(node)
    const name = calleeOf(node)
    const args = nodesIn(node.arguments)
    const isOwn = isNode(node.callee) && node.callee.type === "Identifier"
    const keyOf = isOwn ? KEYS.get(name) : undefined
    if (keyOf === undefined) {
      const isUnread = UNREAD.test(name)
      for (const child of childrenOf(node)) if (!isUnread || literalOf(child) === null) visit(child, false)
      return
    }
    const key = keyOf(args.map(literalOf))
    if (key === null || key.includes("{}")) outside.push(`${name}(…) without a literal`)
    else texts.push(key)
    for (const argument of args) if (literalOf(argument) === null) visit(argument, false)
  }

  const visit = (node: Node, isSpoken: boolean): void => {
    const literal = literalOf(node)
    if (literal !== null) {
      tell(literal, isSpoken || node.type === "JSXText")
      for (const inner of nodesIn(node.expressions)) visit(inner, false)
      return
    }
    switch (node.type) {
      case "ImportDeclaration":
      case "ExportAllDeclaration":
        return
      case "CallExpression":
      case "NewExpression":
        visitCall(node)
        return
      case "JSXElement": {
        const opening = isNode(node.openingElement) ? node.openingElement : node
        const isSaid = nameOf(opening.name) === "Said"
        for (const attribute of nodesIn(opening.attributes)) {
          const name = nameOf(attribute.name)
          const value = isNode(attribute.value) ? attribute.value : undefined
          if (isSaid && name === "text") texts.push(literalOf(value) ?? "")
          // A list of classes, or the shape of a path, may read like a phrase.
          else if (value !== undefined && name !== "class" && name !== "d") visit(value, SPOKEN.test(name))
        }
        for (const child of nodesIn(node.children)) visit(child, child.type === "JSXExpressionContainer")
        return
      }
      case "JSXFragment":
        for (const child of nodesIn(node.children)) visit(child, child.type === "JSXExpressionContainer")
        return
      case "Property":
        // The palette finds commands by them besides their names.
        if (nameOf(node.key) === "keywords") return
        for (const child of nodesIn(node.value)) visit(child, SPOKEN.test(nameOf(node.key)))
        return
      case "JSXExpressionContainer":
        for (const child of nodesIn(node.expression)) visit(child, isSpoken)
        return
      case "ConditionalExpression":
        for (const child of nodesIn(node.test)) visit(child, false)
        for (const child of [...nodesIn(node.consequent), ...nodesIn(node.alternate)]) visit(child, isSpoken)
        return
      case "LogicalExpression":
        for (const child of nodesIn(node.left)) visit(child, false)
        for (const child of nodesIn(node.right)) visit(child, isSpoken)
        return
      case "BinaryExpression":
      case "SwitchCase":
        for (const child of childrenOf(node))
          if (literalOf(child) === null || node.operator === "+") visit(child, isSpoken)
        return
      default:
        for (const child of childrenOf(node)) visit(child, false)
    }
  }

  for (const node of nodesIn(tree)) visit(node, false)
  return { texts, outside }
}

/** Finds the texts of a source file of the page. */
export const textsIn = async (
  file: string,
  source: string,
  known: ReadonlySet<string> = new Set()
): Promise<FoundTexts> => {
  const { code } = await transformWithOxc(source, file, { jsx: "preserve", sourcemap: false, target: "esnext" })
  return textsInTree(parseAst(code, { lang: "jsx" }), known)
}
