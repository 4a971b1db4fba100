import { spawn, spawnSync } from "node:child_process"
import { chownSync, cpSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exitCodes } from "../../src/cli/exitCodes.ts"
import { temporaryDirectory } from "../support/runConsole.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const container = fileURLToPath(new URL("support/container.sh", import.meta.url))
const dockerfile = readFileSync(join(root, "deploy/Dockerfile"), "utf8")

const words = (instruction: string): ReadonlyArray<string> =>
  JSON.parse(
    new RegExp(`^ *${instruction} (\\[.+\\])$`, "m").exec(dockerfile.slice(dockerfile.lastIndexOf("FROM ")))?.[1] ??
      "[]"
  )

const quoted = (list: ReadonlyArray<string>) => list.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")

const image = {
  env: /^ENV (.+)$/m.exec(dockerfile)?.[1] ?? "",
  entry: words("ENTRYPOINT"),
  command: /^CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? "[]",
  check: words("CMD"),
  volume: /^RUN install -d -o node -g root -m (\d+) \/data$/m.exec(dockerfile)?.[1] ?? ""
}

/** The user that the base image calls `node`. */
const IMAGES_USER = 1000
const ANYBODY = 54_321

const run = (directory: string, user: number, group: number, script: string) =>
  Effect.callback<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>((resume) => {
    const child = spawn(
      container,
      [
        join(directory, "app"),
        join(directory, "data"),
        process.execPath,
        String(user),
        String(group),
        "sh",
        "-c",
        script
      ],
      {
        env: {
          ...process.env,
          SCRIPT_ENV: `${image.env} SVC_AUTH=true GATEWAY_TOKEN=abc GATEWAY_URL=http://127.0.0.1:1`
        }
      }
    )
    let [stdout, stderr] = ["", ""]
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk
    })
    child.stderr.on("data", (chunk: Buffer) => {
      stderr += chunk
    })
    child.on("close", (code) => resume(Effect.succeed({ code, stdout, stderr })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })

const program = quoted([...image.entry, ...JSON.parse(image.command)])

/** Starts the image's command, waits until its health check passes, and stops it as a container is stopped. */
const UNTIL_HEALTHY = `
cd /app
touch /app/x /x 2>/dev/null && echo writable
${program} &
console=$!
until ${quoted(image.check)}; do kill -0 $console || { wait $console; exit $?; }; done
echo healthy
kill -TERM $console
wait $console`

const canContain =
  process.getuid?.() === 0 &&
  existsSync(join(root, "dist/cli.js")) &&
  spawnSync("unshare", ["--mount", "--net", "--pid", "--fork", "true"]).status === 0
if (!canContain) console.log("left out: containers need root, unshare and a build")

/** What the image holds, and its volume with this owner and mode. */
const layout = Effect.fnUntraced(function* (owner: number, group: number, mode: string) {
  const directory = yield* temporaryDirectory
  mkdirSync(join(directory, "app"))
  for (const name of ["package.json", "LICENSE", "dist"]) {
    cpSync(join(root, name), join(directory, "app", name), { recursive: true })
  }
  const data = join(directory, "data")
  mkdirSync(data)
  chownSync(data, owner, group)
  spawnSync("chmod", [mode, data])
  return { directory, data }
})

describe.runIf(canContain)(
  "the image's command, without a network and with a root that can't be written (needs root)",
  () => {
    it.live.each([
      ["its own user", IMAGES_USER, IMAGES_USER],
      ["any other user, in the group that Docker gives it", ANYBODY, 0]
    ] as const)("runs and passes its health check as %s", ([, user, group]) =>
      Effect.gen(function* () {
        const { directory, data } = yield* layout(IMAGES_USER, 0, image.volume)
        const ended = yield* run(directory, user, group, UNTIL_HEALTHY)
        assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
        assert.include(ended.stdout, "healthy")
        assert.notInclude(ended.stdout, "writable")
        assert.strictEqual(statSync(join(data, "console.db")).uid, user)
      })
    )

    it.live("ends with 5 and one sentence in a folder of root's, and runs after the command that it names", () =>
      Effect.gen(function* () {
        const { directory, data } = yield* layout(0, 0, "755")
        const refused = yield* run(directory, ANYBODY, ANYBODY, `cd /app; exec ${program}`)
        assert.strictEqual(refused.code, exitCodes.home, refused.stderr)
        assert.strictEqual(
          refused.stderr,
          `agent-console: can't use the folder /data: it belongs to user 0, and this user, ${ANYBODY}, isn't allowed to write there. ` +
            `Run \`chown -R ${ANYBODY}:${ANYBODY} /data\` as root (in a container, on the folder that is mounted there), or set SVC_HOME to a folder that user ${ANYBODY} owns\n`
        )
        assert.strictEqual(refused.stdout, "")
        spawnSync("chown", ["-R", `${ANYBODY}:${ANYBODY}`, data])
        const ended = yield* run(directory, ANYBODY, ANYBODY, UNTIL_HEALTHY)
        assert.strictEqual(ended.code, exitCodes.ok, ended.stderr)
      })
    )
  }
)
