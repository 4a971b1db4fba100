import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { houseProblems, importsOf, serviceGroup } from "./houseRules.ts"
import { importCircles, importsOfGroups } from "./importCircles.ts"

/** Files that have to name what the rules forbid. */
const ABOUT_THE_RULES = ["scripts/houseRules.ts", "test/scripts/houseRules.test.ts"]

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"], {
  encoding: "utf8"
})
  .split("\n")
  .filter((name) => name.length > 0 && existsSync(name) && !ABOUT_THE_RULES.includes(name))

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
for (const circle of importCircles(new Map([...imports].filter(([file]) => /^(web\/)?src\//.test(file))))) {
  fail(`${circle.join(", ")} import each other`)
}
for (const circle of importCircles(importsOfGroups(imports, serviceGroup))) {
  fail(`src/services: ${circle.join(", ")} import each other; move what they share into one of them, or below both`)
}
