import { execFileSync, spawn, spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (name: string) => readFileSync(join(root, name), "utf8")

const has = (program: string, ...args: ReadonlyArray<string>) => {
  const found = spawnSync(program, args).status === 0
  if (!found) console.log(`left out: ${program} is not installed here`)
  return found
}

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "agent-console-deploy-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const makeCertificate = (cert: string, key: string) =>
  execFileSync(
    "openssl",
    [
      ...["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"],
      ...["-subj", "/CN=console.example.org", "-keyout", key, "-out", cert]
    ],
    { stdio: "ignore" }
  )

describe("nginx", () => {
  it.live.skipIf(!has("nginx", "-v"))("takes the sample (needs nginx)", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")]
      makeCertificate(cert, key)
      const sample = read("deploy/nginx.conf")
        .replace("/etc/ssl/console/cert.pem", cert)
        .replace("/etc/ssl/console/key.pem", key)
      writeFileSync(join(folder, "sample.conf"), sample)
      const log = join(folder, "error.log")
      writeFileSync(
        join(folder, "nginx.conf"),
        `pid ${folder}/pid;\nerror_log ${log};\nevents {}\nhttp {\n  access_log off;\n  include ${folder}/sample.conf;\n}\n`
      )
      const { status, stderr } = spawnSync("nginx", ["-t", "-e", log, "-c", join(folder, "nginx.conf")], {
        encoding: "utf8"
      })
      assert.strictEqual(status, 0, stderr)
      assert.notMatch(stderr, /\[(warn|emerg|alert)\]/)
    })
  )
})

describe("Caddy", () => {
  const hasCaddy = has("caddy", "version")

  it.live.skipIf(!hasCaddy)("takes the sample, and would not write it otherwise (needs caddy)", () =>
    Effect.gen(function* () {
      const env = { ...process.env, HOME: yield* temporary, XDG_CONFIG_HOME: "", XDG_DATA_HOME: "" }
      const file = join(root, "deploy/Caddyfile")
      const checked = spawnSync("caddy", ["validate", "--adapter", "caddyfile", "--config", file], {
        encoding: "utf8",
        env
      })
      assert.strictEqual(checked.status, 0, checked.stderr)
      const formatted = spawnSync("caddy", ["fmt", file], { encoding: "utf8", env })
      assert.strictEqual(formatted.stdout, read("deploy/Caddyfile"))
    })
  )
})

describe("HAProxy", () => {
  it.live.skipIf(!has("haproxy", "-v"))("takes the sample (needs haproxy)", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const [cert, key, both] = [join(folder, "cert.pem"), join(folder, "key.pem"), join(folder, "both.pem")]
      makeCertificate(cert, key)
      writeFileSync(both, readFileSync(cert, "utf8") + readFileSync(key, "utf8"))
      const file = join(folder, "haproxy.cfg")
      writeFileSync(file, read("deploy/haproxy.cfg").replace("/etc/ssl/console/both.pem", both))
      const { status, stderr } = spawnSync("haproxy", ["-c", "-f", file], { encoding: "utf8" })
      assert.strictEqual(status, 0, stderr)
      assert.notMatch(stderr, /\[(?:WARNING|ALERT)\]/)
    })
  )
})

describe("the image", () => {
  const dockerfile = read("deploy/Dockerfile")
  const stages = dockerfile.split(/^FROM /m).slice(1)
  const last = stages.at(-1) ?? ""

  it("is built in one stage and run in another, by a user without rights", () => {
    assert.strictEqual(stages.length, 2)
    assert.match(last, /^USER node$/m)
    assert.notMatch(last, /npm (ci|install)/)
    // Nothing after it may take the rights back.
    assert.notMatch(last.slice(last.indexOf("USER node")), /^(USER root|RUN)/m)
  })

  it("copies only what is there, and never a secret", () => {
    for (const [, names = ""] of (stages[0] ?? "").matchAll(/^COPY (?!--from)(.+) \S+$/gm)) {
      for (const name of names.split(" ")) assert.isTrue(existsSync(join(root, name)), name)
    }
    const ignored = read("deploy/Dockerfile.dockerignore").split("\n")
    for (const name of [".env", "certs", ".git", "node_modules"]) assert.include(ignored, name)
  })

  it.live("has a health check that distinguishes a responding console from others", () =>
    Effect.gen(function* () {
      const command: ReadonlyArray<string> = JSON.parse(/^ {2}CMD (\[.+\])$/m.exec(dockerfile)?.[1] ?? "[]")
      assert.strictEqual(command[0], "node")
      let status = 200
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const made = createServer((request, response) =>
            response.writeHead(request.url === "/healthz" ? status : 404).end("{}")
          )
          made.listen(0, "127.0.0.1", () => resume(Effect.succeed(made)))
        }),
        (made) =>
          Effect.sync(() => {
            made.close()
            made.closeAllConnections()
          })
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const check = (on: number) =>
        Effect.callback<number | null>((resume) => {
          const child = spawn(process.execPath, command.slice(1), { env: { PORT: String(on) } })
          child.on("close", (code) => resume(Effect.succeed(code)))
        })
      assert.strictEqual(yield* check(port), 0)
      status = 503
      assert.strictEqual(yield* check(port), 1)
      assert.strictEqual(yield* check(1), 1)
    })
  )
})

describe("the compose example", () => {
  const compose = read("deploy/compose.yaml")

  it("opens nothing but the consoles, and those on this machine alone", () => {
    assert.deepStrictEqual(
      [...compose.matchAll(/^ +- "(.*:\d+:\d+)"$/gm)].map(([, port]) => port),
      ["127.0.0.1:3080:3080", "127.0.0.1:3081:3081"]
    )
    assert.include(compose, "network_mode: service:gateway")
    assert.include(compose, 'SVC_AUTH: "true"')
  })

  it("refuses to start without a token of its own", () => {
    assert.strictEqual([...compose.matchAll(/\$\{GATEWAY_TOKEN:\?/g)].length, 3)
  })

  it("tries a console that can't start again for ever, or only as often as it's told to", () => {
    assert.strictEqual([...compose.matchAll(/^ {4}restart: \$\{CONSOLE_RESTART:-unless-stopped\}$/gm)].length, 2)
  })

  it("is YAML without tabs, its blanks in twos", () => {
    for (const line of compose.split("\n")) {
      assert.notInclude(line, "\t")
      assert.strictEqual((/^ */.exec(line)?.[0].length ?? 0) % 2, 0, line)
    }
  })
})
