import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { join } from "node:path"
import { Effect } from "effect"
import type { Packages } from "./product.ts"

/** A registry's response to a request for a package. */
export type RegistryMood = "answers" | "is away" | "hangs up in the middle" | "stops in the middle"

/** A registry of packages on this machine. */
export interface Registry {
  /** What a version of the product needs: a package of the same version, and a Node to run on. */
  readonly packagesOf: (version: string) => Packages
  readonly be: (mood: RegistryMood) => Effect.Effect<void>
}

const NODE = `#!/bin/sh
exec "${process.execPath}" "$@"
`

const CONTENTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  part: { "index.js": `// ${"a part of the product ".repeat(2000)}` },
  node: { "bin/node": NODE }
}

/** Packs a package; answers its integrity. */
const pack = (folder: string, name: string, version: string): string => {
  const top = join(folder, `${name}-${version}`)
  const bin = name === "node" ? { bin: { node: "bin/node" } } : {}
  const files = { ...CONTENTS[name], "package.json": JSON.stringify({ name, version, ...bin }) }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(top, "package", path, ".."), { recursive: true })
    writeFileSync(join(top, "package", path), text, { mode: 0o755 })
  }
  execFileSync("tar", ["-czf", `${top}.tgz`, "-C", top, "package"])
  return `sha512-${createHash("sha512")
    .update(readFileSync(`${top}.tgz`))
    .digest("base64")}`
}

/** Makes one that serves what it packs, until the scope ends. */
export const makeRegistry = (folder: string) =>
  Effect.gen(function* () {
    mkdirSync(folder)
    let mood: RegistryMood = "is away"
    let port = 0
    const server = createServer((request, response) => {
      const bytes = readFileSync(join(folder, request.url ?? ""))
      if (mood === "answers") {
        response.end(bytes)
        return
      }
      response.writeHead(200, { "content-length": bytes.length })
      response.write(bytes.subarray(0, bytes.length / 2), () => {
        if (mood === "hangs up in the middle") response.destroy()
      })
    })
    const close = Effect.callback<void>((resume) => {
      server.close(() => resume(Effect.void))
      server.closeAllConnections()
    })
    const open = Effect.callback<void>((resume) => {
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        if (typeof address === "object" && address !== null) port = address.port
        resume(Effect.void)
      })
    })
    yield* Effect.acquireRelease(open, () => (server.listening ? close : Effect.void))
    yield* close
    const made: Registry = {
      packagesOf: (version) => {
        const names = Object.keys(CONTENTS)
        return {
          dependencies: Object.fromEntries(names.map((name) => [name, version])),
          locked: Object.fromEntries(
            names.map((name) => [
              `node_modules/${name}`,
              {
                version,
                resolved: `http://127.0.0.1:${port}/${name}-${version}.tgz`,
                integrity: pack(folder, name, version),
                ...(name === "node" ? { bin: { node: "bin/node" } } : {})
              }
            ])
          )
        }
      },
      be: (next) =>
        Effect.gen(function* () {
          mood = next
          if (server.listening && next === "is away") yield* close
          if (!server.listening && next !== "is away") yield* open
        })
    }
    return made
  })
