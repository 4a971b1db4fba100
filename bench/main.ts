import { readdirSync } from "node:fs"
import { ensureBuilt } from "../scripts/ensureBuilt.ts"

/** `npm run bench -- <name>` runs `run()` of `./<name>.ts` against the built bundle; without a name it lists them. */
const SUPPORT = ["main.ts"]
const names = readdirSync(new URL(".", import.meta.url))
  .filter((file) => file.endsWith(".ts") && !SUPPORT.includes(file))
  .map((file) => file.slice(0, -".ts".length))
  .sort()

const name = process.argv[2]
if (name === undefined || !names.includes(name)) {
  const list = names.length > 0 ? names.join(", ") : "none yet"
  console.error(`Usage: npm run bench -- <name>\nBenchmarks: ${list}`)
  process.exitCode = name === undefined ? 0 : 2
} else {
  await ensureBuilt()
  const benchmark: { readonly run: (args: ReadonlyArray<string>) => Promise<void> } = await import(`./${name}.ts`)
  await benchmark.run(process.argv.slice(3))
}
