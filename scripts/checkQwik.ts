import { execFileSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { qwikProblems } from "./qwikRules.ts"

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "web/src/*.tsx"], {
  encoding: "utf8"
})
  .split("\n")
  .filter((name) => name.length > 0 && existsSync(name))

for (const file of files) {
  for (const problem of await qwikProblems(file, readFileSync(file, "utf8"))) {
    console.error(`${file}: ${problem}`)
    process.exitCode = 1
  }
}
