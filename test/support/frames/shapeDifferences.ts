import type { Shape } from "./shapeOf.ts"

const NOTHING: ReadonlySet<string> = new Set()

const told = (kinds: ReadonlySet<string>) => (kinds.size === 0 ? "nothing" : [...kinds].toSorted().join(" or "))

/** The path of what holds this field or element. */
const parentOf = (path: string) => path.replace(/(\.[^.[\]]+|\[[^\]]*\])$/, "")

/** One line for each path where two shapes differ; a part that one side lacks entirely is one line. */
export const shapeDifferences = (subject: string, gateway: Shape, practice: Shape): ReadonlyArray<string> => {
  const paths = [...new Set([...gateway.keys(), ...practice.keys()])].toSorted()
  return paths.flatMap((path) => {
    const parent = parentOf(path)
    if (path !== "" && (!gateway.has(parent) || !practice.has(parent))) return []
    const left = told(gateway.get(path) ?? NOTHING)
    const right = told(practice.get(path) ?? NOTHING)
    return left === right ? [] : [`${subject} ${path}: gateway ${left}, practice ${right}`]
  })
}
