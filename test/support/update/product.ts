import { execFileSync } from "node:child_process"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Packages that a version needs, from a registry. */
export interface Packages {
  readonly dependencies: Readonly<Record<string, string>>
  /** As the lock file has them. */
  readonly locked: Readonly<Record<string, unknown>>
}

/** How a version of the small service under test behaves. */
export interface Behaviour {
  /** The build command; the default creates `dist/cli.js`. */
  readonly build?: "fails" | "fills the disk"
  /** What `/health` answers. */
  readonly health?: number
  /** The version it reports instead of its own. */
  readonly says?: string
  /** Whether it starts as a service. */
  readonly starts?: boolean
  /** The Node it runs on must be among its packages. */
  readonly needsOwnNode?: boolean
}

const BUILD = `import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
const behaviour = JSON.parse(readFileSync("behaviour.json", "utf8"))
const { version, dependencies = {} } = JSON.parse(readFileSync("package.json", "utf8"))
rmSync("dist", { recursive: true, force: true })
mkdirSync("dist/chunks", { recursive: true })
mkdirSync("dist/web/assets", { recursive: true })
if (behaviour.build === "fails") {
  console.error("src/thing.ts(3,1): error TS1005: this version does not compile")
  for (let n = 0; n < 60; n++) console.log("dist/web/assets/part" + n + "-abc.js  12.3 kB")
  process.exit(1)
}
if (behaviour.build === "fills the disk") for (let n = 0; ; n++) writeFileSync("dist/" + n, Buffer.alloc(1 << 20))
for (const name of Object.keys(dependencies)) {
  const installed = JSON.parse(readFileSync("node_modules/" + name + "/package.json", "utf8")).version
  if (installed !== dependencies[name]) throw new Error(name + " is " + installed + ", not " + dependencies[name])
}
const says = behaviour.says ?? version
if (existsSync(process.env.HOME + "/build-hangs")) await new Promise(() => setInterval(() => {}, 1000))
writeFileSync("dist/chunks/lazy-" + version + ".mjs", "export const version = " + JSON.stringify(version))
writeFileSync("dist/web/index.html", version)
writeFileSync("dist/web/assets/page-" + version + ".css", version)
writeFileSync("dist/cli.js", readFileSync("server.mjs", "utf8").replaceAll("VERSION", says).replace("CHUNK", "lazy-" + version))
`

const SERVER = `import { createServer } from "node:http"
import { existsSync, readFileSync } from "node:fs"
const behaviour = JSON.parse(readFileSync("behaviour.json", "utf8"))
if (behaviour.needsOwnNode && !existsSync("node_modules/node/bin/node")) {
  console.error("agent-console needs Node 24 or newer, but this is v20.20.2; the npm package node isn't installed either.")
  process.exit(6)
}
if (process.argv[2] === "--version") {
  console.log("VERSION")
  process.exit(0)
}
if (behaviour.starts === false) process.exit(3)
const port = Number(/^PORT=(\\d+)/m.exec(readFileSync(".env", "utf8"))[1])
createServer((request, response) => {
  // A client must not reuse the connection of a killed process.
  response.shouldKeepAlive = false
  if (request.url === "/health") response.writeHead(behaviour.health ?? 200).end("{}")
  // Loaded by a console only on request.
  else if (request.url === "/lazy") {
    import("./chunks/CHUNK.mjs").then(
      ({ version }) => response.end(version),
      () => response.writeHead(500).end()
    )
  } else response.end(JSON.stringify({ name: "agent-console", version: "VERSION" }))
}).listen(port, "127.0.0.1")
`

const run = (directory: string, program: string, ...args: ReadonlyArray<string>): string =>
  execFileSync(program, args, { cwd: directory, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] })

/** `git` as somebody with a name. */
export const git = (directory: string, ...args: ReadonlyArray<string>): string =>
  run(directory, "git", "-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args).trim()

/** Adds a version to the repository, with a tag of its own. */
export const release = (
  source: string,
  version: string,
  behaviour: Behaviour = {},
  files: Readonly<Record<string, string>> = {},
  packages: Packages = { dependencies: {}, locked: {} }
): void => {
  const manifest = { name: "agent-console", version, dependencies: packages.dependencies }
  const all: Readonly<Record<string, string>> = {
    "package.json": JSON.stringify({ ...manifest, type: "module", scripts: { build: "node build.mjs" } }),
    "package-lock.json": JSON.stringify({
      ...manifest,
      lockfileVersion: 3,
      requires: true,
      packages: { "": manifest, ...packages.locked }
    }),
    "build.mjs": BUILD,
    "server.mjs": SERVER,
    "behaviour.json": JSON.stringify(behaviour),
    ".gitignore": "node_modules/\ndist/\n.env\n",
    "notes.txt": `What is new in ${version}\n`,
    ...files
  }
  for (const [name, text] of Object.entries(all)) {
    mkdirSync(join(source, name, ".."), { recursive: true })
    writeFileSync(join(source, name), text)
  }
  git(source, "add", "--all", "--force")
  git(source, "commit", "--quiet", "--message", version)
  git(source, "tag", "--annotate", `v${version}`, "--message", version)
  git(source, "push", "--quiet", "origin", "main", "--tags")
  for (const name of Object.keys(files)) rmSync(join(source, name), { recursive: true, force: true })
}

/** A repository with a remote for releases. */
export const makeRepository = (directory: string): { readonly source: string; readonly remote: string } => {
  const [source, remote] = [join(directory, "source"), join(directory, "remote.git")]
  git(directory, "init", "--quiet", "--bare", "--initial-branch=main", remote)
  git(directory, "init", "--quiet", "--initial-branch=main", source)
  git(source, "remote", "add", "origin", remote)
  return { source, remote }
}
