import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readdir, rename, rm, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { EXIT_CODES, Failure } from "./Failure.ts"
import { installProblem } from "./installProblem.ts"

/** Unfinished installs are in folders that begin so, followed by the number of the process that makes them. */
const PART = "part-"

/** What an install needs while it's made, in bytes: npm itself goes on for minutes on a full disk. */
const NEEDED_SPACE = 1_000_000_000

/** Older gateways ask for linkedom ^0.18.12, whose newest release may not resolve. */
const MANIFEST = { private: true, overrides: { linkedom: "0.18.12" } }

const entryIn = (folder: string): string => join(folder, "node_modules", "openclaw", "openclaw.mjs")

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (problem) {
    return problem instanceof Error && "code" in problem && problem.code === "EPERM"
  }
}

/** Removes what installs have left behind that were killed. */
const removeParts = async (cache: string): Promise<void> => {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(PART) || lives(Number.parseInt(name.slice(PART.length), 10))) continue
    await rm(join(cache, name), { recursive: true, force: true })
  }
}

/** The variables of npm, without those that say in which project `npm run` runs. */
const npmVariables = (): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm_(package|lifecycle)_|npm_config_local_prefix$|INIT_CWD$)/.test(name)
    )
  )

const npm = async (folder: string, version: string, stop: AbortSignal): Promise<void> => {
  const args = ["install", "--prefix", folder, "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"]
  // Nothing of a package is run, and so nothing else downloaded, at installing: the gateways need none of it.
  args.push("--ignore-scripts", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=5000")
  const child = spawn("npm", [...args, `openclaw@${version}`], {
    cwd: folder,
    env: npmVariables(),
    stdio: ["ignore", "pipe", "pipe"],
    shell: process.platform === "win32",
    signal: stop
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-4000)
    })
  }
  const [code] = await once(child, "close")
  if (code === 0) return
  const sentence = installProblem(version, output)
  throw new Failure(
    EXIT_CODES.notInstalled,
    sentence ?? `npm couldn't install openclaw@${version}.`,
    sentence === undefined ? output : ""
  )
}

const noSpace = (cache: string): Failure =>
  new Failure(EXIT_CODES.notInstalled, `There is not enough disk space in ${cache}: a gateway needs about 1 GB.`)

/** What the system says about the cache folder itself. */
const folderProblem = (cache: string, problem: unknown): unknown => {
  const code = problem instanceof Error && "code" in problem ? String(problem.code) : ""
  if (code === "ENOSPC") return noSpace(cache)
  if (["EACCES", "EPERM", "EROFS", "ENOTDIR", "EEXIST"].includes(code))
    return new Failure(
      EXIT_CODES.notInstalled,
      `Gateways can't be installed in ${cache} (${code}); GATEWAY_CACHE names another folder.`
    )
  return problem
}

/**
 * Installs a version where it isn't yet, and answers the gateway's program. It gets its name only once it's whole, so
 * what was interrupted isn't used, and two that install the same version at once don't disturb each other.
 */
export const installGateway = async (
  cache: string,
  version: string,
  { stop, tell }: { readonly stop: AbortSignal; readonly tell: (line: string) => void }
): Promise<string> => {
  const folder = join(cache, `openclaw-${version}`)
  if (existsSync(entryIn(folder))) return entryIn(folder)
  let part: string | undefined
  try {
    await mkdir(cache, { recursive: true })
    await removeParts(cache)
    const { bavail, bsize } = await statfs(cache)
    if (bavail * bsize < NEEDED_SPACE) throw noSpace(cache)
    tell(`Installing openclaw@${version} into ${cache} (about 600 MB, once) …`)
    part = await mkdtemp(join(cache, `${PART}${process.pid}-`))
    await writeFile(join(part, "package.json"), JSON.stringify(MANIFEST))
    await npm(part, version, stop)
    if (!existsSync(entryIn(part)))
      throw new Failure(EXIT_CODES.notInstalled, `openclaw@${version} has no gateway in it.`)
    // Somebody else's install of the same version may have been faster.
    await rename(part, folder).catch((problem) => {
      if (!existsSync(entryIn(folder))) throw problem
    })
    return entryIn(folder)
  } catch (problem) {
    throw folderProblem(cache, problem)
  } finally {
    if (part !== undefined) await rm(part, { recursive: true, force: true, maxRetries: 3 })
  }
}
