import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../..", import.meta.url))

/** Makes this Node say that it is an older one. */
const oldNode = `data:text/javascript,${encodeURIComponent('Object.defineProperty(process.versions, "node", { value: "20.20.2" })')}`

const REPAIR = "run `npm ci --include=dev --ignore-scripts=false` in this folder, then try again\n"

let folder = ""
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "agent-console-checkout-"))
  for (const part of ["scripts", "src/cli/exitCodes.ts"]) {
    cpSync(join(root, part), join(folder, part), { recursive: true })
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (...args: ReadonlyArray<string>) => spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" })

it("what npm was configured to skip is said in one sentence, with the command that helps", () => {
  const { demo, start } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts
  assert.strictEqual(demo, "node scripts/run.mjs start --demo")
  assert.strictEqual(start, "node scripts/run.mjs start")

  const old = run("--import", oldNode, "scripts/run.mjs", "start", "--demo")
  assert.strictEqual(old.status, 6)
  assert.match(old.stderr, /^agent-console: the console needs Node 24 or newer, this is v[^\n]+\n$/)
  assert.include(old.stderr, REPAIR)

  for (const script of ["start", "dev"]) {
    const bare = run("scripts/run.mjs", script)
    assert.strictEqual(bare.status, 1, bare.stderr)
    assert.match(bare.stderr, /^agent-console: the packages that build the console aren't here[^\n]+\n$/)
    assert.include(bare.stderr, REPAIR)
    assert.strictEqual(bare.stdout, "")
  }
})
