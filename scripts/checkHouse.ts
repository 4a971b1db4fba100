import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { houseProblems } from "./houseRules.ts"

/** Files whose business is to name what the rules forbid. */
const ABOUT_THE_RULES = ["scripts/houseRules.ts", "test/scripts/houseRules.test.ts"]

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"], {
  encoding: "utf8"
})
  .split("\n")
  .filter((name) => name.length > 0 && existsSync(name) && !ABOUT_THE_RULES.includes(name))

for (const file of files) {
  for (const problem of houseProblems(file, readFileSync(file, "utf8"))) {
    console.error(`${file}: ${problem}`)
    process.exitCode = 1
  }
}
