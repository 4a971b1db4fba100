import { createOptimizer } from "@builder.io/qwik/optimizer"
import { parseAst, transformWithOxc } from "vite"

/** The parts of a syntax tree node that the rules use. */
interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"

const nodesIn = (value: unknown): ReadonlyArray<Node> => (Array.isArray(value) ? value : [value]).filter(isNode)

const calleeName = (node: Node): string => {
  const callee = node.callee
  if (!isNode(callee)) return ""
  if (callee.type === "Identifier") return String(callee.name)
  return isNode(callee.property) ? String(callee.property.name) : ""
}

/** Whether an expression among JSX children can only be an element, a list or nothing, never plain text. */
const isElementOrNothing = (node: Node): boolean => {
  switch (node.type) {
    case "JSXElement":
    case "JSXFragment":
    case "JSXEmptyExpression":
      return true
    case "Literal":
      return node.value === null || typeof node.value === "boolean" || node.value === " "
    case "LogicalExpression":
      return nodesIn(node.right).every(isElementOrNothing)
    case "ConditionalExpression":
      return [...nodesIn(node.consequent), ...nodesIn(node.alternate)].every(isElementOrNothing)
    case "CallExpression":
      return calleeName(node) === "map"
    default:
      return false
  }
}

/** The elements a callback returns, through conditions and `return`. */
const returnedElements = (node: Node): ReadonlyArray<Node> => {
  switch (node.type) {
    case "JSXElement":
    case "JSXFragment":
      return [node]
    case "LogicalExpression":
      return nodesIn(node.right).flatMap(returnedElements)
    case "ConditionalExpression":
      return [...nodesIn(node.consequent), ...nodesIn(node.alternate)].flatMap(returnedElements)
    case "BlockStatement":
      return nodesIn(node.body).flatMap(returnedElements)
    case "ReturnStatement":
      return nodesIn(node.argument).flatMap(returnedElements)
    default:
      return []
  }
}

const hasKey = (element: Node): boolean =>
  isNode(element.openingElement) &&
  nodesIn(element.openingElement.attributes).some(
    (attribute) => isNode(attribute.name) && attribute.name.name === "key"
  )

const checkCall = (node: Node): ReadonlyArray<string> => {
  const name = calleeName(node)
  const first = nodesIn(node.arguments)[0]
  if (name === "useResource$") return ["useResource$ freezes every component until it's done: use a visible task"]
  if (name === "useTask$" && first?.async === true) {
    return ["an async useTask$ freezes every component until it's done: use a visible task"]
  }
  if (name === "map" && first?.type === "ArrowFunctionExpression") {
    return nodesIn(first.body)
      .flatMap(returnedElements)
      .filter((element) => !hasKey(element))
      .map(() => "an element made by .map() needs a key")
  }
  return []
}

const checkChildren = (node: Node): ReadonlyArray<string> => {
  const children = nodesIn(node.children).filter(
    (child) => !(child.type === "JSXText" && String(child.value).trim() === "")
  )
  if (children.length < 2) return []
  return children
    .filter((child) => child.type === "JSXExpressionContainer" && !nodesIn(child.expression).every(isElementOrNothing))
    .map(() => "changing text next to other children goes stale: give it its own element")
}

/** The root and first member of a member chain: `row.name.first` gives `row` and `name`. */
const chainOf = (node: Node): { readonly root: string; readonly first: string } | null => {
  const object = node.object
  if (!isNode(object)) return null
  if (object.type === "MemberExpression") return chainOf(object)
  if (object.type !== "Identifier" || !isNode(node.property)) return null
  return { root: String(object.name), first: String(node.property.name) }
}

/** Qwik treats a member of a plain local object as constant, unless it's from `props` or a signal. */
const checkAttribute = (node: Node): ReadonlyArray<string> => {
  const expression = isNode(node.value) && isNode(node.value.expression) ? node.value.expression : null
  if (expression?.type !== "MemberExpression") return []
  const chain = chainOf(expression)
  if (chain === null || chain.root === "props" || chain.first === "value") return []
  return [`the component's property ${chain.root}.${chain.first} never updates: give it its own variable`]
}

const checkComponent = (node: Node): ReadonlyArray<string> => {
  if (!isNode(node.name) || !/^[A-Z]/.test(String(node.name.name))) return []
  return nodesIn(node.attributes).flatMap(checkAttribute)
}

const visit = (node: Node, found: Array<string>): void => {
  if (node.type === "CallExpression") found.push(...checkCall(node))
  if (node.type === "JSXElement" || node.type === "JSXFragment") found.push(...checkChildren(node))
  if (node.type === "JSXOpeningElement") found.push(...checkComponent(node))
  for (const value of Object.values(node)) for (const child of nodesIn(value)) visit(child, found)
}

/** `_wrapProp(row, "name")` in the optimizer's output: a component's property bound to a member of `row`. */
const WRAPPED = /_wrapProp\((\w+), "(\w+)"\)/g

/**
 * Members that Qwik's optimizer binds once. It inlines a variable that only holds a member, such as `const { on } = row`,
 * so such a variable is no help: it takes a call or a new value.
 */
const boundOnce = async (file: string, code: string): Promise<ReadonlyArray<string>> => {
  const optimizer = await createOptimizer()
  const { modules } = await optimizer.transformModules({
    input: [{ code, path: file }],
    srcDir: "/",
    entryStrategy: { type: "inline" },
    minify: "simplify",
    mode: "prod",
    transpileTs: true,
    transpileJsx: true
  })
  const members = modules
    .flatMap((module) => [...module.code.matchAll(WRAPPED)])
    .filter(([, root]) => root !== "props")
    .map(([, root, member]) => `${root}.${member}`)
  return [...new Set(members)].map(
    (member) => `the component's property ${member} never updates, also in a variable: compute it with a call`
  )
}

/** Patterns in a component file that Qwik 1 is known to render wrongly or freeze on, one sentence each. */
export const qwikProblems = async (file: string, source: string): Promise<ReadonlyArray<string>> => {
  const { code } = await transformWithOxc(source, file, {
    lang: "tsx",
    jsx: "preserve",
    sourcemap: false,
    typescript: { onlyRemoveTypeImports: true }
  })
  const found: Array<string> = []
  for (const statement of nodesIn(parseAst(code, { lang: "jsx" }).body)) visit(statement, found)
  if (found.length === 0) found.push(...(await boundOnce(file, source)))
  return found
}
