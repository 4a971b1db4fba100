import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { browserFilesFor } from "./browserFiles.ts"
import { importsOf } from "./houseRules.ts"

const root = fileURLToPath(new URL("..", import.meta.url))

const USAGE = `npm run verify -- [--since <commit>] [--list]

Checks a change before it's committed: types and lint, the unit tests it reaches, and the browser files of the screens
it touches. Without --since, the change is what isn't committed yet or, if there's nothing, the last commit.
--list only says what would run.`

const git = (...args: ReadonlyArray<string>): ReadonlyArray<string> =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" })
    .split("\n")
    .filter((line) => line !== "")

/** The files that differ from a commit, new ones included, as far as they still exist. */
const changedSince = (commit: string): ReadonlyArray<string> =>
  [...git("diff", "--name-only", commit, "--"), ...git("ls-files", "--others", "--exclude-standard")].filter((name) =>
    existsSync(join(root, name))
  )

const changedFiles = (since: string | undefined): ReadonlyArray<string> => {
  if (since !== undefined) return changedSince(since)
  const uncommitted = changedSince("HEAD")
  return uncommitted.length > 0 ? uncommitted : changedSince("HEAD~1")
}

const pageImports = (): ReadonlyMap<string, ReadonlySet<string>> =>
  new Map(
    git("ls-files", "--cached", "--others", "--exclude-standard", "web/src/*.ts", "web/src/*.tsx", "src/contract/*.ts")
      .filter((name) => existsSync(join(root, name)))
      .map((name) => [name, new Set(importsOf(name, readFileSync(join(root, name), "utf8")))])
  )

interface Step {
  readonly name: string
  /** Of a program of this project, run by its Node. */
  readonly args: ReadonlyArray<string>
}

const VITEST = "node_modules/vitest/vitest.mjs"

const stepsFor = (changed: ReadonlyArray<string>): ReadonlyArray<Step> => {
  const code = changed.filter((name) => /\.(ts|tsx|css)$/.test(name) && !name.startsWith("test/e2e/"))
  const browser = browserFilesFor(changed, pageImports())
  const steps: Array<Step> = [{ name: "check", args: ["scripts/check.ts"] }]
  if (code.length > 0)
    steps.push({
      name: "unit tests",
      args: [VITEST, "related", "--run", "--project", "unit", "--project", "components", "--passWithNoTests", ...code]
    })
  if (browser.length > 0)
    steps.push({
      name: `browser tests: ${browser.join(", ")}`,
      args: [
        VITEST,
        "run",
        "--config",
        "test/e2e/vitest.config.ts",
        ...browser.map((name) => `test/e2e/${name}.e2e.ts`)
      ]
    })
  return steps
}

/** Runs one step; a line about it, and whether it passed. */
const run = (step: Step): { readonly passed: boolean; readonly line: string } => {
  console.log(`\n== ${step.name}`)
  const startedAt = performance.now()
  const passed = spawnSync(process.execPath, step.args, { cwd: root, stdio: "inherit" }).status === 0
  const seconds = Math.round((performance.now() - startedAt) / 1000)
  return { passed, line: `${passed ? "passed" : "FAILED"} in ${seconds} s: ${step.name}` }
}

const { values } = parseArgs({
  options: { since: { type: "string" }, list: { type: "boolean" }, help: { type: "boolean" } }
})
if (values.help === true) console.log(USAGE)
else {
  const changed = changedFiles(values.since)
  const steps = stepsFor(changed)
  if (values.list === true) {
    console.log(`${changed.length} changed files`)
    for (const step of steps) console.log(step.name)
  } else {
    const results = steps.map(run)
    console.log()
    for (const { line } of results) console.log(line)
    process.exitCode = results.every(({ passed }) => passed) ? 0 : 1
  }
}
