import { spawn, spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { fileURLToPath } from "node:url"
import { Data, Effect, Schedule } from "effect"
import { freePort } from "../freePort.ts"
import { temporaryDirectory } from "../runConsole.ts"

/** The address of a proxy and of the server behind it. */
interface Place {
  readonly folder: string
  readonly port: number
  /** For what the sample sends on to HTTPS. */
  readonly plainPort: number
  readonly consolePort: number
}

/** A reverse proxy with the project's sample configuration. */
export interface ProxyProgram {
  readonly name: string
  readonly program: string
  readonly version: ReadonlyArray<string>
  /** Writes the sample with this place's ports and without TLS; the arguments that start it in the foreground. */
  readonly configure: (sample: string, place: Place) => ReadonlyArray<string>
  readonly sample: string
}

const nginx: ProxyProgram = {
  name: "nginx",
  program: "nginx",
  version: ["-v"],
  sample: "nginx.conf",
  configure: (sample, { folder, port, plainPort, consolePort }) => {
    const site = sample
      .replace("127.0.0.1:3080", `127.0.0.1:${consolePort}`)
      .replaceAll(/^ *(?:listen \[::\]|ssl_).*\n/gm, "")
      .replace("listen 80;", `listen 127.0.0.1:${plainPort};`)
      .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`
    )
    writeFileSync(
      `${folder}/nginx.conf`,
      [
        `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;`,
        `events {}\nhttp {\naccess_log off;\n${temporary.join("\n")}\n${site}\n}\n`
      ].join("\n")
    )
    return ["-e", `${folder}/error.log`, "-c", `${folder}/nginx.conf`]
  }
}

const caddy: ProxyProgram = {
  name: "Caddy",
  program: "caddy",
  version: ["version"],
  sample: "Caddyfile",
  configure: (sample, { folder, port, consolePort }) => {
    const site = sample
      .replace("127.0.0.1:3080", `127.0.0.1:${consolePort}`)
      .replace("\nconsole.example.org {\n", `\nhttp://:${port} {\n\tbind 127.0.0.1\n`)
    writeFileSync(`${folder}/Caddyfile`, `{\n\tadmin off\n\tauto_https off\n}\n${site}`)
    return ["run", "--adapter", "caddyfile", "--config", `${folder}/Caddyfile`]
  }
}

const haproxy: ProxyProgram = {
  name: "HAProxy",
  program: "haproxy",
  version: ["-v"],
  sample: "haproxy.cfg",
  configure: (sample, { folder, port, plainPort, consolePort }) => {
    const whole = sample
      .replace("127.0.0.1:3080", `127.0.0.1:${consolePort}`)
      .replaceAll(/^ *(?:log|chroot|user|group|option httplog).*\n/gm, "")
      .replace("bind :80\n", `bind 127.0.0.1:${plainPort}\n`)
      .replace(/bind :443 .*/, `bind 127.0.0.1:${port}`)
      .replace(/^ *http-request redirect .*\n/m, "")
    writeFileSync(`${folder}/haproxy.cfg`, whole)
    return ["-db", "-f", `${folder}/haproxy.cfg`]
  }
}

export const PROXIES: ReadonlyArray<ProxyProgram> = [nginx, caddy, haproxy]

/** Whether a program can be run here; says so if not. */
export const isInstalled = ({ program, version }: ProxyProgram): boolean => {
  const found = spawnSync(program, version).status === 0
  if (!found) console.log(`left out: ${program} is not installed here`)
  return found
}

const isOpen = (port: number) =>
  Effect.callback<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => resume(Effect.succeed(true)))
    socket.on("error", () => resume(Effect.succeed(false)))
    return Effect.sync(() => socket.destroy())
  })

const sampleOf = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../deploy/${name}`, import.meta.url)), "utf8")

class NotStarted extends Data.TaggedError("NotStarted")<{ readonly message: string }> {}

/** Runs a proxy until the scope closes; the port it listens on. */
const run = Effect.fnUntraced(function* (proxy: ProxyProgram, place: Place, change: (sample: string) => string) {
  const args = proxy.configure(change(sampleOf(proxy.sample)), place)
  const home = `${place.folder}/home`
  mkdirSync(home)
  let said = ""
  let hasEnded = false
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const child = spawn(proxy.program, args, {
        cwd: place.folder,
        env: { PATH: process.env.PATH, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home },
        stdio: ["ignore", "ignore", "pipe"]
      })
      child.stderr.on("data", (chunk: Buffer) => {
        said = `${said}${chunk}`.slice(-4_000)
      })
      const ended = new Promise<void>((resolve) => {
        child.on("error", () => resolve())
        child.on("close", () => resolve())
      })
      void ended.then(() => {
        hasEnded = true
      })
      return { child, ended }
    }),
    ({ child, ended }) =>
      Effect.promise(() => {
        child.kill("SIGKILL")
        return ended
      })
  )
  yield* Effect.suspend(() => (hasEnded ? Effect.succeed(true) : isOpen(place.port))).pipe(
    Effect.repeat({ schedule: Schedule.spaced("20 millis"), until: (isDone) => isDone }),
    Effect.timeout("30 seconds")
  )
  if (hasEnded) return yield* new NotStarted({ message: `${proxy.name} didn't start: ${said}` })
  return place.port
})

/** The samples for a console below `/console`, changed as the manual says. */
export const belowPath = (sample: string): string =>
  sample
    .replace("location / {", "location /console/ {")
    .replace("reverse_proxy 127.0.0.1", "reverse_proxy /console* 127.0.0.1")
    .replace("default_backend agent_console", "use_backend agent_console if { path_beg /console }")

/**
 * Runs a proxy in front of a console for as long as the scope is open; the loopback port it listens on, a free one unless
 * given. `change` is made in its sample first.
 */
export const startProxy = (
  proxy: ProxyProgram,
  consolePort: number,
  {
    change = (sample) => sample,
    port: wanted
  }: { readonly change?: (sample: string) => string; readonly port?: number | undefined } = {}
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryDirectory
    const [port, plainPort] = [wanted ?? (yield* Effect.promise(freePort)), yield* Effect.promise(freePort)]
    return yield* run(proxy, { folder, port, plainPort, consolePort }, change)
    // Somebody else may take a free port before the proxy does.
  }).pipe(Effect.retry({ times: 3 }), Effect.orDie)
