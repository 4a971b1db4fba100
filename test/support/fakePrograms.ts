import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { delimiter, join } from "node:path"

/**
 * Puts programs on a PATH of their own. Each writes its command line to a file, then runs its script, which gets the
 * same arguments.
 */
export const fakePrograms = (directory: string, scripts: Readonly<Record<string, string>>) => {
  const bin = join(directory, "fake-bin")
  const calls = join(directory, "calls")
  mkdirSync(bin, { recursive: true })
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${calls}'\n${script}\n`, { mode: 0o755 })
  }
  return {
    path: `${bin}${delimiter}${process.env.PATH}`,
    /** The command lines so far. */
    calls: (): ReadonlyArray<string> => (existsSync(calls) ? readFileSync(calls, "utf8").trimEnd().split("\n") : [])
  }
}
