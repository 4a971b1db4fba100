import type { SchemaAST, SchemaIssue } from "effect"

const TYPE_NAMES: Readonly<Record<string, string>> = {
  String: "string",
  Number: "number",
  Boolean: "boolean",
  Arrays: "array",
  Objects: "object",
  Null: "null"
}

const typeName = (ast: SchemaAST.AST) => TYPE_NAMES[ast._tag] ?? "of the right type"

/**
 * Says what is wrong with a request's params in the gateway's own words, every fault joined with `; `
 * (`must have required property 'key'; at root: unexpected property 'x'`).
 */
export const paramIssues = (issue: SchemaIssue.Issue): string => {
  const faults: Array<string> = []
  const at = (path: ReadonlyArray<PropertyKey>, text: string) =>
    path.length === 0 ? text : `at /${path.map(String).join("/")}: ${text}`
  const visit = (node: SchemaIssue.Issue, path: ReadonlyArray<PropertyKey>): void => {
    switch (node._tag) {
      case "Pointer":
        visit(node.issue, [...path, ...node.path])
        return
      case "Composite":
        for (const child of node.issues) visit(child, path)
        return
      case "Filter": {
        const said = node.filter.annotations?.message
        if (typeof said === "string") faults.push(at(path, said))
        else visit(node.issue, path)
        return
      }
      case "Encoding":
        visit(node.issue, path)
        return
      case "MissingKey":
        faults.push(at(path.slice(0, -1), `must have required property '${String(path.at(-1))}'`))
        return
      case "UnexpectedKey":
        faults.push(
          `at ${path.length > 1 ? `/${path.slice(0, -1).map(String).join("/")}` : "root"}: unexpected property '${String(path.at(-1))}'`
        )
        return
      case "InvalidType":
        faults.push(at(path, `must be ${typeName(node.ast)}`))
        return
      case "AnyOf":
      case "OneOf":
        faults.push(at(path, "must be equal to one of the allowed values"))
        return
      default:
        faults.push(at(path, "must be a valid value"))
    }
  }
  visit(issue, [])
  const rank = (fault: string) => (fault.includes("must have required property") ? 0 : 1)
  return faults.toSorted((a, b) => rank(a) - rank(b)).join("; ")
}
