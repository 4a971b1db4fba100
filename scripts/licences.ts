import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { Plugin } from "vite"

const FILE = "LICENSES.txt"
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i
const RULE = `\n${"-".repeat(80)}\n\n`

/** Licences under which a package may be part of a program under MIT. */
const COMPATIBLE = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "ISC", "MIT", "Unlicense"])

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string
}

/** The folder of the package a module belongs to; nothing for the project's own and for what a build makes up. */
export const packageFolder = (moduleId: string): string | undefined =>
  /^\0?((?:[^\0?]*\/)?node_modules\/(?:@[^/]+\/)?[^/?]+)\//.exec(moduleId)?.[1]

/** Whether an SPDX expression leaves a choice that may be part of a program under MIT. */
export const isCompatible = (license: string | undefined): boolean =>
  (license ?? "")
    .replace(/[()]/g, "")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((part) => COMPATIBLE.has(part.trim())))

const noticeOf = (folder: string): { readonly manifest: Manifest; readonly text: string } => {
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  if (!isCompatible(manifest.license)) {
    throw new Error(`${manifest.name} cannot be part of the build: its licence is ${manifest.license ?? "not named"}`)
  }
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile())
  const texts = files
    .filter(({ name }) => LICENCE_FILE.test(name))
    .map(({ name }) => readFileSync(join(folder, name), "utf8").replaceAll("\r\n", "\n").trim())
  return { manifest, text: texts.join("\n\n") }
}

/** The notices of the packages these modules come from, each once, by name. */
export const notices = (moduleIds: Iterable<string>): string => {
  const folders = new Set<string>()
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
 * Writes the licences of everything in a build beside it, as these ask for, and fails a build that holds a package whose
 * licence MIT does not go with. `copied` are packages whose files a build takes without bundling them.
 */
export const licences = (copied: ReadonlyArray<string> = []): Plugin => ({
  name: "licences",
  apply: "build",
  generateBundle(_options, bundle) {
    const ids = Object.values(bundle).flatMap((output) => (output.type === "chunk" ? Object.keys(output.modules) : []))
    const source = `${notices([...ids, ...copied.map((folder) => `${folder}/package.json`)])}\n`
    this.emitFile({ type: "asset", fileName: FILE, source })
  }
})
