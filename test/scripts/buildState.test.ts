import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, assert, beforeEach, it } from "@effect/vitest"
import { clearStamp, isStale, sourcesDigest, writeStamp } from "../../scripts/buildState.ts"

let root = ""

const write = (name: string, text: string) => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "build-state-"))
  write("src/cli/main.ts", "1")
  write("web/src/main.tsx", "1")
  write("package.json", "{}")
  write("dist/cli.js", "built")
  write("dist/web/index.html", "built")
  writeStamp(root, sourcesDigest(root))
})

afterEach(() => rmSync(root, { recursive: true, force: true }))

it("a build of the sources that are there is fresh", () => {
  assert.isFalse(isStale(root))
})

it("a missing part of the build makes it stale", () => {
  rmSync(join(root, "dist/web/index.html"))
  assert.isTrue(isStale(root))
})

it("a build without its stamp is stale, as after one that was broken off", () => {
  clearStamp(root)
  assert.isTrue(isStale(root))
})

it("a changed source makes the build stale, whichever way its time moved", () => {
  utimesSync(join(root, "src/cli/main.ts"), 1000, 1000)
  assert.isTrue(isStale(root))
})

it("a new source makes the build stale", () => {
  write("src/cli/new.ts", "1")
  assert.isTrue(isStale(root))
})

it("a deleted source makes the build stale", () => {
  rmSync(join(root, "web/src/main.tsx"))
  assert.isTrue(isStale(root))
})

it("a changed manifest makes the build stale", () => {
  write("package.json", `{"version":"2.0.0"}`)
  assert.isTrue(isStale(root))
})

it("a changed test or document does not", () => {
  write("test/cli/main.test.ts", "1")
  write("README.md", "1")
  assert.isFalse(isStale(root))
})
