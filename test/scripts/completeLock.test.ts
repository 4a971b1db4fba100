import { assert, it } from "@effect/vitest"
import lock from "../../package-lock.json" with { type: "json" }
import { completeLock, type LockPackages } from "../../scripts/completeLock.ts"

const packages: LockPackages = lock.packages

it("the lock file names every optional package, so that npm ci accepts it on any machine", () => {
  assert.deepStrictEqual(Object.keys(completeLock(packages)).sort(), Object.keys(packages).sort())
})

it("the lock file names no registry", () => {
  assert.notInclude(JSON.stringify(lock), '"resolved"')
})

it("a package for another platform is added with its platform, and only when it is missing", () => {
  const owner = {
    dev: true,
    optionalDependencies: { "@x/y-linux-x64-musl": "1.2.3", "@x/y-win32-arm64-msvc": "1.2.3", "@x/known": "1.0.0" }
  }
  const known = { version: "1.0.0", optional: true }
  assert.deepStrictEqual(completeLock({ "node_modules/@x/y": owner, "node_modules/@x/known": known }), {
    "node_modules/@x/known": known,
    "node_modules/@x/y": owner,
    "node_modules/@x/y-linux-x64-musl": {
      version: "1.2.3",
      os: ["linux"],
      cpu: ["x64"],
      libc: ["musl"],
      dev: true,
      optional: true
    },
    "node_modules/@x/y-win32-arm64-msvc": {
      version: "1.2.3",
      os: ["win32"],
      cpu: ["arm64"],
      dev: true,
      optional: true
    }
  })
})
