import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"

const MAX_LINES = 400
const problems: Array<string> = []
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts", "*.tsx"], {
  encoding: "utf8"
})
  .split("\n")
  .filter((name) => name.length > 0)

for (const file of files) {
  const lines = readFileSync(file, "utf8").split("\n").length - 1
  if (lines > MAX_LINES) problems.push(`${file}: ${lines} lines, at most ${MAX_LINES}`)
}

for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
