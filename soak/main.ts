import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { ensureBuilt } from "../scripts/ensureBuilt.ts"
import { soak } from "./soak.ts"

const USUAL_MINUTES = 30
const SHORT_MINUTES = 3
/** The disk that fills up; everything the console writes is on it. */
const DISK_SIZE = "64m"
/** Tells the second start where its small separate disk is. */
const DISK_VARIABLE = "SOAK_DISK"

const { values } = parseArgs({ options: { short: { type: "boolean" }, minutes: { type: "string" } } })
const minutes = Number(values.minutes ?? (values.short ? SHORT_MINUTES : USUAL_MINUTES))
const disk = process.env[DISK_VARIABLE]
/** The console's log and its figures over time are saved here. */
const artifacts = fileURLToPath(new URL("../test-artifacts", import.meta.url))

if (!(minutes > 0)) {
  console.error("npm run soak [-- --short | --minutes <number>]")
  process.exitCode = 2
} else if (disk === undefined && spawnSync("unshare", ["-Urm", "true"]).status === 0) {
  await ensureBuilt()
  const place = mkdtempSync(join(tmpdir(), "agent-console-disk-"))
  const ended = spawnSync(
    "unshare",
    ["-Urm", "sh", "-c", `mount -t tmpfs -o size=${DISK_SIZE} none "$1" && shift && exec "$@"`, "sh", place].concat(
      process.execPath,
      fileURLToPath(import.meta.url),
      process.argv.slice(2)
    ),
    { stdio: "inherit", env: { ...process.env, [DISK_VARIABLE]: place } }
  )
  rmSync(place, { recursive: true, force: true })
  process.exitCode = ended.status ?? 1
} else {
  if (disk === undefined) {
    await ensureBuilt()
    console.log("the disk-full fault is skipped: this system doesn't allow private mounts (unshare -Urm)")
  }
  mkdirSync(artifacts, { recursive: true })
  process.exitCode = (await soak(minutes, disk, artifacts)) ? 0 : 1
}
