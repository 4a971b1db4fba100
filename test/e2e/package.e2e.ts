import { execFile, execFileSync, spawn, spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isStale } from "../../scripts/buildState.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const run = promisify(execFile)

const hasRegistry = spawnSync("npm", ["view", "ws@8.23.0", "version"], { timeout: 30_000 }).status === 0
if (!hasRegistry) console.log("left out: the installed package, because no npm registry answers here")

/** The package in an empty folder, installed as anybody does. */
const installed = Effect.acquireRelease(
  Effect.promise(async () => {
    const folder = mkdtempSync(join(tmpdir(), "agent-console-package-"))
    // What npm hands on to scripts it runs would lead these runs elsewhere.
    const own = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
    const env: NodeJS.ProcessEnv = {
      ...Object.fromEntries(own),
      HOME: folder,
      PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
    }
    const fresh = isStale(root) ? [] : ["--ignore-scripts"]
    await run("npm", ["pack", "--silent", ...fresh, "--pack-destination", folder], { cwd: root })
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz")) ?? ""
    writeFileSync(join(folder, "package.json"), '{"private":true}')
    const config = execFileSync("npm", ["config", "get", "registry"], { cwd: root, encoding: "utf8" }).trim()
    await run("npm", ["install", "--no-audit", "--no-fund", "--registry", config, `./${tarball}`], { cwd: folder, env })
    return { folder, env }
  }),
  ({ folder }) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

describe.skipIf(!hasRegistry)("the npm package (needs a registry)", { timeout: 300_000 }, () => {
  it.live("works with npx in an empty folder: its version, its help and the whole demo with the web app", () =>
    Effect.gen(function* () {
      const { folder, env } = yield* installed
      const npx = (...args: ReadonlyArray<string>) =>
        Effect.promise(() => run("npx", ["--no-install", "agent-console", ...args], { cwd: folder, env }))
      assert.strictEqual((yield* npx("--version")).stdout.trim(), version)
      assert.include((yield* npx("update", "--help")).stdout, "--rollback")

      const child = yield* Effect.acquireRelease(
        Effect.sync(() =>
          spawn(join(folder, "node_modules/.bin/agent-console"), ["serve", "--demo"], {
            cwd: folder,
            env: { ...env, PORT: "0" },
            stdio: ["ignore", "pipe", "inherit"]
          })
        ),
        (running) =>
          Effect.callback<void>((resume) => {
            running.once("close", () => resume(Effect.void))
            running.kill("SIGTERM")
          })
      )
      const address = yield* Effect.callback<string>((resume) => {
        let shown = ""
        child.stdout.on("data", (chunk: Buffer) => {
          shown += chunk
          const found = /Open +(http:\S+)/.exec(shown)?.[1]
          if (found !== undefined) resume(Effect.succeed(found))
        })
        child.once("close", () => resume(Effect.die(new Error(`it ended: ${shown}`))))
      })
      const get = (path: string) => Effect.promise(() => fetch(`${address}${path}`))
      const page = yield* get("/")
      assert.strictEqual(page.status, 200)
      assert.include(yield* Effect.promise(() => page.text()), "<script")
      const told = yield* get("/api/version")
      assert.deepStrictEqual(yield* Effect.promise(() => told.json()), { name: "agent-console", version })
      const doctor = yield* get("/api/doctor")
      assert.strictEqual(doctor.status, 200)
      yield* Effect.promise(() => doctor.text())
    })
  )
})
