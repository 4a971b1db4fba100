import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { type Behaviour, git, makeRepository, release } from "./product.ts"
import { makePrograms, type Programs } from "./programs.ts"

const freePort = Effect.callback<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

/** A machine with the small service installed as a checkout of version 1.0.0 and running. */
export interface UpdateHome {
  readonly home: string
  readonly svcHome: string
  readonly directory: string
  readonly address: string
  readonly programs: Programs
  readonly release: (version: string, behaviour?: Behaviour, files?: Readonly<Record<string, string>>) => void
  readonly git: (...args: ReadonlyArray<string>) => string
  /** What the running service says it is; `undefined` when nothing answers. */
  readonly runningVersion: Effect.Effect<string | undefined>
  readonly dotEnv: () => Buffer
  readonly state: (name: string) => Record<string, unknown>
}

/**
 * Makes such a machine, with everything it starts ended by the scope. `parent` says on which disk; npm is a quick
 * stand-in unless the real one is asked for.
 */
export const makeUpdateHome = ({ parent = tmpdir(), realNpm = false } = {}) =>
  Effect.gen(function* () {
    const home = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(parent, "agent-console-update-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const port = yield* freePort
    const directory = join(home, "checkout")
    const svcHome = join(home, "svc")
    const { source, remote } = makeRepository(home)
    release(source, "1.0.0")
    git(home, "clone", "--quiet", remote, directory)
    writeFileSync(join(directory, ".env"), `# mine\nPORT=${port}\nSVC_HOME=${svcHome}\n\nGATEWAY_TOKEN='se cret'\n`)
    mkdirSync(svcHome)
    const programs = makePrograms({ home, directory, port, realNpm })
    const env = { ...process.env, PATH: programs.path }
    execFileSync(process.execPath, ["build.mjs"], { cwd: directory, stdio: "ignore" })
    yield* Effect.addFinalizer(() => Effect.sync(() => programs.endService()))
    execFileSync("systemctl", ["--user", "restart"], { env, stdio: "ignore" })
    const address = `http://127.0.0.1:${port}`
    const made: UpdateHome = {
      home,
      svcHome,
      directory,
      address,
      programs,
      release: (version, behaviour, files) => release(source, version, behaviour, files),
      git: (...args) => git(directory, ...args),
      runningVersion: Effect.promise(() =>
        fetch(`${address}/api/version`)
          .then((response) => response.text())
          .then((text) => /"version":"([^"]*)"/.exec(text)?.[1])
          .catch(() => undefined)
      ),
      dotEnv: () => readFileSync(join(directory, ".env")),
      state: (name) => JSON.parse(readFileSync(join(svcHome, "updater", name), "utf8"))
    }
    return made
  })
