import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { promisify } from "node:util"
import { Effect } from "effect"
import { makeRoom } from "./diskFill.ts"
import { freePort } from "./freePort.ts"
import { postgresPrograms } from "./postgres.ts"

// As root of its own mounts it makes the disk, and as nobody in particular, which PostgreSQL asks for, it runs the server
// again whenever it ends, as a machine's service manager does.
const SCRIPT = `mount -t tmpfs -o size=24m none "$1/small" && exec unshare -U --map-user=1000 --map-group=1000 sh -c '
  mkdir -m 700 "$1/small/tables"
  "$2/initdb" -D "$1/data" -U console -A trust --no-sync -E UTF8 --wal-segsize=1 $4 >/dev/null || exit 1
  while sleep 0.2; do
    "$2/postgres" -D "$1/data" -c port=$3 -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off \\
      -c max_wal_size=4MB -c min_wal_size=2MB >>"$1/output" 2>&1
  done' sh "$1" "$2" "$3" "$4"`

const run = promisify(execFile)

/** A server with a database that has its tables, or its log, on a disk of 24 MB; `disk` leads there. */
export const smallPostgres = (small: "tables" | "log") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const port = await freePort()
      const folder = mkdtempSync(join(tmpdir(), "agent-console-pg-"))
      chmodSync(folder, 0o700)
      mkdirSync(join(folder, "small"))
      const log = small === "log" ? `--waldir=${folder}/small/log` : ""
      const child = spawn("unshare", ["-Urm", "sh", "-c", SCRIPT, "sh", folder, postgresPrograms, `${port}`, log], {
        stdio: "ignore",
        detached: true,
        env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" }
      })
      const ended = once(child, "close")
      const disk = `/proc/${child.pid}/root${folder}/small`
      const remove = async () => {
        makeRoom(disk)
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
        await ended
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      }
      const psql = (statement: string) => {
        const to = ["-h", "127.0.0.1", "-p", `${port}`, "-U", "console", "-d", "postgres"]
        return run(join(postgresPrograms, "psql"), [...to, "-c", statement])
      }
      const isUp = () =>
        psql("SELECT 1").then(
          () => true,
          () => false
        )
      while (!(await isUp()) && child.exitCode === null) await delay(100)
      const place = small === "log" ? "pg_default" : "small"
      if (small === "tables") await psql(`CREATE TABLESPACE small LOCATION '${folder}/small/tables'`)
      await psql(`CREATE DATABASE team TABLESPACE ${place}`)
      return { url: `postgres://console@127.0.0.1:${port}/team`, disk, remove }
    }),
    ({ remove }) => Effect.promise(remove)
  )
