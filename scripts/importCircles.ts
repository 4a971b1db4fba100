/** Who imports whom, by name. */
export type Imports = ReadonlyMap<string, ReadonlySet<string>>

/** Groups of names that import each other in a cycle, by Tarjan's algorithm; each in alphabetical order. */
export const importCircles = (imports: Imports): ReadonlyArray<ReadonlyArray<string>> => {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: Array<string> = []
  const circles: Array<ReadonlyArray<string>> = []
  const visit = (name: string): number => {
    const own = order.size
    let low = own
    order.set(name, own)
    stack.push(name)
    for (const target of imports.get(name) ?? []) {
      if (!order.has(target)) low = Math.min(low, visit(target))
      else if (stack.includes(target)) low = Math.min(low, lowest.get(target) ?? order.get(target) ?? own)
      lowest.set(name, low)
    }
    lowest.set(name, low)
    if (low === own) {
      const circle = stack.splice(stack.indexOf(name))
      if (circle.length > 1) circles.push(circle.sort())
    }
    return low
  }
  for (const name of imports.keys()) if (!order.has(name)) visit(name)
  return circles
}

/** The imports between groups of files; `groupOf` returns `undefined` for a file without a group. */
export const importsOfGroups = (imports: Imports, groupOf: (file: string) => string | undefined): Imports => {
  const groups = new Map<string, Set<string>>()
  for (const [file, targets] of imports) {
    const own = groupOf(file)
    if (own === undefined) continue
    const ofGroup = groups.get(own) ?? new Set()
    groups.set(own, ofGroup)
    for (const target of targets) {
      const other = groupOf(target)
      if (other !== undefined && other !== own) ofGroup.add(other)
    }
  }
  return groups
}
