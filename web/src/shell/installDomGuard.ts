/**
 * Makes moving nodes safe for nodes that something else (a page translator, an extension) has moved. Without it one
 * foreign `<font>` element makes every later render throw.
 */
export const installDomGuard = (): void => {
  const insertBefore = Node.prototype.insertBefore
  const removeChild = Node.prototype.removeChild

  Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, reference: Node | null): T {
    insertBefore.call(this, node, reference?.parentNode === this ? reference : childHolding(this, reference))
    return node
  }

  Node.prototype.removeChild = function <T extends Node>(this: Node, node: T): T {
    if (node.parentNode === this) removeChild.call(this, node)
    else if (node.parentNode !== null) removeChild.call(node.parentNode, node)
    return node
  }
}

/** The direct child of `parent` that contains `node`, or `null` (the end). */
const childHolding = (parent: Node, node: Node | null): Node | null => {
  for (let current: Node | null = node; current !== null; current = current.parentNode) {
    if (current.parentNode === parent) return current
  }
  return null
}
