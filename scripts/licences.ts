import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"

const FILE = "LICENSES.txt"
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i
const RULE = `\n${"-".repeat(80)}\n\n`

/** Licences compatible with an MIT program. */
const COMPATIBLE = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "Unlicense"])

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The folder of a module's package; nothing for the project's own and virtual modules. */
export const packageFolder = (moduleId: string): string | undefined =>
  /^\0?((?:[^\0?]*\/)?node_modules\/(?:@[^/]+\/)?[^/?]+)\//.exec(moduleId)?.[1]

/** Whether an SPDX expression includes a licence compatible with MIT. */
export const isCompatible = (license: string | undefined): boolean =>
  (license ?? "")
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => COMPATIBLE.has(part.trim())))

const noticeOf = (folder: string): { readonly manifest: Manifest; readonly text: string } => {
  const written: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files
    .filter(({ name }) => LICENCE_FILE.test(name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim())
  const text = texts.join("\n\n")
  // Some name their licence in its file alone.
  const manifest = /^The MIT License\b/.test(text) ? { license: "MIT", ...written } : written
  if (!isCompatible(manifest.license)) {
    throw new Error(`${manifest.name} can't be part of the build: its licence is ${manifest.license ?? "missing"}`)
  }
  return { manifest, text }
}

/** The notices of these modules' packages and of packages in these folders, each once, by name. */
export const notices = (moduleIds: Iterable<string>, copied: ReadonlyArray<string> = []): string => {
  const folders = new Set(copied)
  for (const id of moduleIds) {
    const folder = packageFolder(id)
    if (folder !== undefined && existsSync(join(folder, "package.json"))) folders.add(folder)
  }
  const parts = [...folders].map(noticeOf).map(({ manifest: { license, name, version }, text }) => ({
    key: `${name}@${version}`,
    part: `${name} ${version} (${license})\n${text === "" ? "" : `\n${text}\n`}`
  }))
  const byKey = new Map(parts.map(({ key, part }) => [key, part]))
  return [...byKey.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, part]) => part)
    .join(RULE)
}

/**
 * Writes the licences of everything in a build next to it, as they require, and fails a build that contains a package
 * with an incompatible licence. `copied` are folders of packages whose files are
 * copied without bundling.
 */
export const licences = (copied: ReadonlyArray<string> = []): Plugin => ({
  name: "licences",
  apply: "build",
  generateBundle(_options, bundle) {
    const ids = Object.values(bundle).flatMap((output) => (output.type === "chunk" ? Object.keys(output.modules) : []))
    const source = `${notices(ids, copied)}\n`
    this.emitFile({ type: "asset", fileName: FILE, source })
  }
})
