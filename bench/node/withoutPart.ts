import { mkdirSync, mkdtempSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build, type Plugin } from "vite"

/** One hook into Node or V8, and the change to its source by which the console does without it. */
export interface NodePart {
  readonly name: string
  readonly file: string
  readonly from: string
  readonly to: string
}

/** Changes one source file on its way into the bundle; a part that is not found any more ends the build. */
const change = ({ name, file, from, to }: NodePart): Plugin => ({
  name: "without-part",
  enforce: "pre",
  transform: (code, id) => {
    if (!id.endsWith(`/src/node/${file}`)) return undefined
    if (!code.includes(from)) throw new Error(`${name}: ${file} has changed, and this benchmark has to follow`)
    return code.replace(from, to)
  }
})

/** Builds the console, without a part where one is given, into a folder of its own. Gives the program's file. */
export const buildWithout = async (part: NodePart | undefined): Promise<string> => {
  const dist = join(mkdtempSync(join(tmpdir(), "agent-console-bench-")), "dist")
  mkdirSync(dist)
  symlinkSync(fileURLToPath(new URL("../../dist/web", import.meta.url)), join(dist, "web"))
  await build({
    configFile: fileURLToPath(new URL("../../vite.config.ts", import.meta.url)),
    logLevel: "error",
    plugins: part === undefined ? [] : [change(part)],
    build: { outDir: dist }
  })
  return join(dist, "cli.js")
}
