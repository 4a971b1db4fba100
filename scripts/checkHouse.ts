import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { houseProblems, importsOf, serviceGroup } from "./houseRules.ts"
import { importCircles, importsOfGroups } from "./importCircles.ts"
import { definedProperties, doubledClasses, styleProblems } from "./styleRules.ts"

/** Files that have to name what the rules forbid. */
const ABOUT_THE_RULES = ["scripts/houseRules.ts", "test/scripts/houseRules.test.ts"]

const filesLike = (...patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", ...patterns], { encoding: "utf8" })
    .split("\n")
    .filter((name) => name.length > 0 && existsSync(name) && !ABOUT_THE_RULES.includes(name))

const files = filesLike("*.ts", "*.tsx")

const fail = (sentence: string) => {
  console.error(sentence)
  process.exitCode = 1
}

const imports = new Map<string, Set<string>>()
for (const file of files) {
  const text = readFileSync(file, "utf8")
  imports.set(file, new Set(importsOf(file, text)))
  for (const problem of houseProblems(file, text)) fail(`${file}: ${problem}`)
}
for (const circle of importCircles(
  new Map([...imports].filter(([file]) => /^((web|practice-gateway)\/)?src\//.test(file)))
)) {
  fail(`${circle.join(", ")} import each other`)
}
for (const circle of importCircles(importsOfGroups(imports, serviceGroup))) {
  fail(`src/services: ${circle.join(", ")} import each other; move what they share into one of them, or below both`)
}

const styles = filesLike("web/src/*.css")
const page = [...styles, ...filesLike("web/src/*.ts", "web/src/*.tsx")]
const defined = new Set(page.flatMap((file) => definedProperties(readFileSync(file, "utf8"))))
for (const file of styles) {
  for (const problem of styleProblems(file, readFileSync(file, "utf8"), defined)) fail(`${file}: ${problem}`)
}
for (const problem of doubledClasses(new Map(styles.map((file) => [file, readFileSync(file, "utf8")])))) fail(problem)
