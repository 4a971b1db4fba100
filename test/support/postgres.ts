import { execFile, spawn } from "node:child_process"
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { promisify } from "node:util"
import { Effect } from "effect"

const run = promisify(execFile)

const HOMES = "/usr/lib/postgresql"
const versions = existsSync(HOMES) ? readdirSync(HOMES).filter((name) => Number(name) >= 15) : []

/** Folder of the programs of the newest installed PostgreSQL. */
const programs = versions
  .toSorted((a, b) => Number(b) - Number(a))
  .map((name) => join(HOMES, name, "bin"))
  .find((folder) => existsSync(join(folder, "initdb")))

export const hasPostgres = programs !== undefined
export const postgresPrograms = programs ?? ""

/** The name of a test with its requirements. */
export const NEEDS_POSTGRES = "needs PostgreSQL 15 or newer"

/** PostgreSQL refuses to run as root; Debian's package makes this user. */
const asServer = async (): Promise<{ readonly uid: number; readonly gid: number } | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => run("id", [flag, "postgres"])))
  return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
}

/** A private server in a temporary folder, reached by a Unix socket and on a port of loopback. */
export interface PostgresServer {
  readonly port: number
  /** Address of one of its databases by TCP. */
  readonly url: (database: string, port?: number) => string
  /** Runs statements with `psql`; gives what it prints. */
  readonly psql: (database: string, ...statements: ReadonlyArray<string>) => Promise<string>
  readonly start: (...options: ReadonlyArray<string>) => Promise<void>
  readonly stop: (how: "fast" | "immediate") => Promise<void>
  /** Promotes a replica to a primary. */
  readonly promote: () => Promise<void>
  /** `kill -9` of the server and everything that belongs to it. */
  readonly kill: () => Promise<void>
  /** Stops it and removes its folder. */
  readonly remove: () => Promise<void>
  readonly folder: string
  readonly user: { readonly uid: number; readonly gid: number } | undefined
  readonly programs: string
}

export const PASSWORD = "a-password-that-must-not-be-seen"

/** Makes a cluster whose changes aren't synced, unless `isDurable`; with `of`, a copy that follows that server. */
export const makePostgres = async (port: number, isDurable = false, of?: PostgresServer): Promise<PostgresServer> => {
  if (programs === undefined) throw new Error(NEEDS_POSTGRES)
  const bin = programs
  const user = await asServer()
  const folder = mkdtempSync(join(tmpdir(), "agent-console-pg-"))
  chmodSync(folder, 0o700)
  if (user !== undefined) chownSync(folder, user.uid, user.gid)
  const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" }, ...user }
  const data = join(folder, "data")
  if (of === undefined) {
    await run(join(bin, "initdb"), ["-D", data, "-U", "console", "-A", "trust", "--no-sync", "-E", "UTF8"], options)
  } else {
    const from = ["-h", of.folder, "-p", String(of.port), "-U", "console", "-c", "fast", "--no-sync"]
    await run(join(bin, "pg_basebackup"), ["-D", data, "-R", ...from], options)
  }
  const settings = [
    `-c port=${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder}`,
    isDurable ? "" : "-c fsync=off -c full_page_writes=off"
  ]
  const control = (...args: ReadonlyArray<string>) =>
    new Promise<void>((resolve, reject) => {
      // Its output is discarded, because the server would keep a pipe open.
      const child = spawn(join(bin, "pg_ctl"), ["-D", data, "-w", "-t", "60", ...args], { ...options, stdio: "ignore" })
      child.on("error", reject)
      child.on("close", (code) => (code === 0 ? resolve() : reject(new Error(`pg_ctl ${args.join(" ")}: ${code}`))))
    })
  return {
    port,
    folder,
    user,
    programs: bin,
    url: (database, through = port) => `postgres://console:${PASSWORD}@127.0.0.1:${through}/${database}`,
    psql: async (database, ...statements) => {
      const args = ["-h", folder, "-p", String(port), "-U", "console", "-d", database, "-v", "ON_ERROR_STOP=1", "-Atq"]
      const { stdout } = await run(join(bin, "psql"), [...args, ...statements.flatMap((one) => ["-c", one])], options)
      return stdout.trim()
    },
    start: async (...more) => {
      const start = () => control("-l", join(folder, "log"), "-o", [...settings, ...more].join(" "), "start")
      // After `kill -9`, its child processes need a moment to end.
      for (let left = 20; left > 0; left -= 1) {
        const isUp = await start().then(
          () => true,
          () => false
        )
        if (isUp) return
        await delay(250)
      }
      await start()
    },
    stop: (how) => control("-m", how, "stop"),
    promote: () => control("promote"),
    remove: () =>
      control("-m", "immediate", "stop")
        .catch(() => undefined)
        .then(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })),
    kill: async () => {
      const { stdout } = await run("head", ["-1", join(data, "postmaster.pid")])
      const pid = Number(stdout)
      const { stdout: children } = await run("ps", ["-o", "pid=", "--ppid", String(pid)]).catch(() => ({ stdout: "" }))
      for (const one of [pid, ...children.split("\n").map(Number).filter(Boolean)]) {
        try {
          process.kill(one, "SIGKILL")
        } catch {}
      }
    }
  }
}

/** A running server for as long as the scope is open. */
export const postgresServer = (port: number, isDurable = false, of?: PostgresServer) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = await makePostgres(port, isDurable, of)
      await server.start()
      return server
    }),
    (server) => Effect.promise(() => server.remove())
  )
