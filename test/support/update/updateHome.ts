import { execFile, execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { Effect, Schedule } from "effect"
import { freePort } from "../freePort.ts"
import { type Behaviour, git, makeRepository, release } from "./product.ts"
import { makePrograms, type Programs } from "./programs.ts"
import { makeRegistry, type Registry } from "./registry.ts"

/** A machine with the small service installed as a checkout of version 1.0.0 and running. */
export interface UpdateHome {
  readonly home: string
  readonly svcHome: string
  readonly directory: string
  readonly address: string
  readonly programs: Programs
  readonly registry: Registry
  readonly release: (version: string, behaviour?: Behaviour, files?: Readonly<Record<string, string>>) => void
  readonly git: (...args: ReadonlyArray<string>) => string
  /** What the running service says it is; `undefined` when nothing answers. */
  readonly runningVersion: Effect.Effect<string | undefined>
  /** What the running service answers at a path; `undefined` when nothing answers with success. */
  readonly get: (path: string) => Effect.Effect<string | undefined>
  /** Waits until a program came to the place where it stops; answers its id. */
  readonly stopped: Effect.Effect<number | undefined>
  readonly dotEnv: () => Buffer
  readonly state: (name: string) => Record<string, unknown>
}

/**
 * Makes such a machine, with everything it starts ended by the scope. `parent` says on which disk; npm is a quick
 * replacement unless the real one is requested. With packages, each version needs some from a registry.
 */
export const makeUpdateHome = ({ parent = tmpdir(), realNpm = false, hasPackages = false } = {}) =>
  Effect.gen(function* () {
    const home = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(parent, "agent-console-update-"))),
      (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
    )
    const port = yield* Effect.promise(freePort)
    const directory = join(home, "checkout")
    const svcHome = join(home, "svc")
    const { source, remote } = makeRepository(home)
    const registry = yield* makeRegistry(join(home, "registry"))
    const add = (version: string, behaviour?: Behaviour, files?: Readonly<Record<string, string>>) =>
      release(source, version, behaviour, files, hasPackages ? registry.packagesOf(version) : undefined)
    add("1.0.0")
    git(home, "clone", "--quiet", remote, directory)
    writeFileSync(join(directory, ".env"), `# mine\nPORT=${port}\nSVC_HOME=${svcHome}\n\nGATEWAY_TOKEN='se cret'\n`)
    mkdirSync(svcHome)
    const programs = makePrograms({ home, directory, port, realNpm, ownNode: hasPackages })
    writeFileSync(join(home, ".npmrc"), "fetch-retries=0\n")
    if (hasPackages) {
      yield* registry.be("answers")
      const env = { ...process.env, HOME: home, PATH: programs.path }
      yield* Effect.promise(() => promisify(execFile)("npm", ["ci"], { cwd: directory, env }))
    }
    execFileSync(process.execPath, ["build.mjs"], { cwd: directory, stdio: "ignore" })
    yield* Effect.addFinalizer(() => Effect.sync(() => programs.endService()))
    programs.restart()
    const address = `http://127.0.0.1:${port}`
    const get = (path: string) =>
      Effect.promise(() =>
        fetch(`${address}${path}`)
          .then((response) => (response.ok ? response.text() : undefined))
          .catch(() => undefined)
      )
    const made: UpdateHome = {
      home,
      svcHome,
      directory,
      address,
      programs,
      registry,
      release: add,
      git: (...args) => git(directory, ...args),
      runningVersion: Effect.map(get("/api/version"), (text) => /"version":"([^"]*)"/.exec(text ?? "")?.[1]),
      get,
      stopped: Effect.repeat(Effect.sync(programs.stopped), {
        schedule: Schedule.spaced("20 millis"),
        until: (pid) => pid !== undefined
      }),
      dotEnv: () => readFileSync(join(directory, ".env")),
      state: (name) => JSON.parse(readFileSync(join(svcHome, "updater", name), "utf8"))
    }
    return made
  })
