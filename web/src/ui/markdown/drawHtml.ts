/** What each element was last drawn from. */
const drawn = new WeakMap<Element, string>()
/** The element that changed last, with what it was drawn from as nodes: the one that grows changes again. */
let last: readonly [WeakRef<Element>, DocumentFragment] | null = null

const parsed = (html: string): DocumentFragment => {
  const template = document.createElement("template")
  template.innerHTML = html
  return template.content
}

const isElement = (node: Node | undefined): node is Element => node?.nodeType === 1
const isText = (node: Node | undefined): node is Text => node?.nodeType === 3

/** What an element is for a reader; a button that does something else is another one. */
const kindOf = (node: Node): string =>
  isElement(node)
    ? `${node.nodeName} ${node.getAttribute("class") ?? ""} ${node.getAttribute("data-copy") ?? ""}`
    : node.nodeName

/** How many nodes at the beginning of two lists are of the same kinds. */
const countAlike = (before: ReadonlyArray<Node>, after: ReadonlyArray<Node>): number => {
  const other = before.findIndex((node, index) => {
    const now = after[index]
    return now === undefined || kindOf(node) !== kindOf(now)
  })
  return other < 0 ? before.length : other
}

const changeText = (live: Text, text: string): void => {
  const old = live.data
  if (old === text) return
  let same = text.startsWith(old) ? old.length : 0
  while (same < old.length && same < text.length && old[same] === text[same]) same++
  // Only what follows is written anew, so that a selection before it stays.
  live.replaceData(same, old.length - same, text.slice(same))
}

const changeAttributes = (live: Element, before: Element, after: Element): void => {
  for (const { name } of Array.from(before.attributes)) if (!after.hasAttribute(name)) live.removeAttribute(name)
  for (const { name, value } of Array.from(after.attributes))
    if (before.getAttribute(name) !== value) live.setAttribute(name, value)
}

const changeNode = (live: Node, before: Node, after: Node): void => {
  if (before.isEqualNode(after)) return
  if (isText(live) && isText(after)) changeText(live, after.data)
  else if (isElement(live) && isElement(before) && isElement(after) && live.nodeName === after.nodeName) {
    changeAttributes(live, before, after)
    changeChildren(live, before, after)
  } else live.parentNode?.replaceChild(after.cloneNode(true), live)
}

/** Applies only the differences between the two documents, so that changes by the user or the page elsewhere survive. */
function changeChildren(live: ParentNode & Node, before: Node, after: Node): void {
  const [nodes, old, now] = [live, before, after].map(({ childNodes }) => Array.from(childNodes))
  if (nodes === undefined || old === undefined || now === undefined) return
  if (nodes.length !== old.length) {
    for (const node of nodes) live.removeChild(node)
    for (const node of now) live.appendChild(node.cloneNode(true))
    return
  }
  const first = countAlike(old, now)
  const atEnd = countAlike(old.slice(first).reverse(), now.slice(first).reverse())
  const moved = now.length - old.length
  for (const [index, node] of nodes.entries()) {
    const isKept = index < first || index >= old.length - atEnd
    const [was, is] = [old[index], now[index < first ? index : index + moved]]
    if (isKept && was !== undefined && is !== undefined) changeNode(node, was, is)
    else if (!isKept) live.removeChild(node)
  }
  const next = nodes[old.length - atEnd] ?? null
  for (const node of now.slice(first, now.length - atEnd)) live.insertBefore(node.cloneNode(true), next)
}

/** A place in an element, in characters from its beginning. */
const offsetOf = (element: Element, node: Node, offset: number): number => {
  const range = document.createRange()
  range.setStart(element, 0)
  range.setEnd(node, offset)
  return range.toString().length
}

const placeAt = (element: Element, offset: number): readonly [Node, number] => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  let left = offset
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node.textContent ?? ""
    if (left <= length) return [node, left]
    left -= length
  }
  return [element, element.childNodes.length]
}

/** Restores the selection within an element after its content was replaced by the same text, such as highlighted code. */
const keepSelection = (element: Element): (() => void) => {
  const selection = document.getSelection?.() ?? null
  const { anchorNode, anchorOffset = 0, focusNode, focusOffset = 0 } = selection ?? {}
  if (selection === null || selection.isCollapsed || anchorNode == null || focusNode == null) return () => {}
  const isIn = (node: Node) => node !== element && element.contains(node)
  const anchor = isIn(anchorNode) ? offsetOf(element, anchorNode, anchorOffset) : null
  const focus = isIn(focusNode) ? offsetOf(element, focusNode, focusOffset) : null
  return () => {
    if (anchorNode.isConnected && focusNode.isConnected) return
    const [from, fromOffset] = anchor === null ? [anchorNode, anchorOffset] : placeAt(element, anchor)
    const [to, toOffset] = focus === null ? [focusNode, focusOffset] : placeAt(element, focus)
    selection.setBaseAndExtent(from, fromOffset, to, toOffset)
  }
}

/**
 * Shows sanitised HTML in an element that nothing else fills. Of what it showed before, only what is different is
 * replaced: a finger, a pressed button, the focus and a selection stay where they are while a text grows.
 */
export const drawHtml = (element: Element, html: string): void => {
  const before = drawn.get(element)
  if (before === html) return
  drawn.set(element, html)
  if (before === undefined) {
    element.innerHTML = html
    return
  }
  const selectAgain = keepSelection(element)
  const after = parsed(html)
  changeChildren(element, last?.[0].deref() === element ? last[1] : parsed(before), after)
  last = [new WeakRef(element), after]
  selectAgain()
}
