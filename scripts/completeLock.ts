import { readFileSync, writeFileSync } from "node:fs"

/** The parts of a `packages` entry in `package-lock.json` that matter here. */
export interface LockEntry {
  readonly version?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly os?: ReadonlyArray<string>
  readonly cpu?: ReadonlyArray<string>
  readonly libc?: ReadonlyArray<string>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

export type LockPackages = Readonly<Record<string, LockEntry>>

const SYSTEMS = ["android", "darwin", "freebsd", "linux", "openbsd", "openharmony", "win32"]
const PROCESSORS = ["arm64", "arm", "ia32", "loong64", "ppc64", "riscv64", "s390x", "x64"]
const C_LIBRARIES: Readonly<Record<string, string>> = {
  gnu: "glibc",
  musl: "musl",
  gnueabihf: "glibc",
  musleabihf: "musl"
}

/** The platform in the name of a platform package, such as `@rollup/rollup-linux-x64-musl`. */
const platformOf = (name: string): Pick<LockEntry, "os" | "cpu" | "libc"> => {
  const parts = name.slice(name.lastIndexOf("/") + 1).split("-")
  const os = SYSTEMS.filter((system) => parts.includes(system))
  const cpu = PROCESSORS.filter((processor) => parts.includes(processor))
  const libc = os.includes("linux") ? parts.flatMap((part) => C_LIBRARIES[part] ?? []) : []
  return { os, cpu, ...(libc.length > 0 ? { libc } : {}) }
}

/**
 * Adds packages for other platforms that a registry mirror didn't have when the lock file was written: `npm ci`
 * requires every optional dependency to be listed, even those it won't install here.
 */
export const completeLock = (packages: LockPackages): LockPackages => {
  const added: Record<string, LockEntry> = {}
  for (const owner of Object.values(packages)) {
    for (const [name, version] of Object.entries(owner.optionalDependencies ?? {})) {
      const path = `node_modules/${name}`
      if (packages[path] !== undefined || !/^\d+\.\d+\.\d+$/.test(version)) continue
      added[path] = { version, ...platformOf(name), ...(owner.dev === true ? { dev: true } : {}), optional: true }
    }
  }
  const all = { ...packages, ...added }
  return Object.fromEntries(Object.entries(all).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
}

if (import.meta.main) {
  const file = process.argv[2] ?? new URL("../package-lock.json", import.meta.url)
  const lock: { readonly packages: LockPackages } = JSON.parse(readFileSync(file, "utf8"))
  writeFileSync(file, `${JSON.stringify({ ...lock, packages: completeLock(lock.packages) }, null, 2)}\n`)
}
