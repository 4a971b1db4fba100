import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const which = (name: string) => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim()

/** What npm does for the small service, without its long start. */
const quickNpm = (control: string) => `#!/bin/sh
if [ -e "${control}/fill npm $1" ]; then
  filler=$(cat "${control}/fill npm $1")
  rm "${control}/fill npm $1"
  cat /dev/zero > "$filler"
  exit 228
fi
case "$1" in
  --version) echo 11.0.0 ;;
  ci) rm -rf node_modules && mkdir node_modules && echo "$*" > node_modules/installed ;;
  run) exec "${process.execPath}" build.mjs ;;
esac
`

/** A stand-in that stops for good before or after the real program's work, where a file asks for that. */
const stopping = (name: string, control: string, program = which(name)) => `#!/bin/sh
verb=$1
if [ "$verb" = "--no-pager" ]; then verb=$2; fi
halt() { echo "$$" > "${control}/stopped"; exec sleep 1000; }
if [ -e "${control}/before ${name} $verb" ]; then halt; fi
if [ -e "${control}/after ${name} $verb" ]; then "${program}" "$@"; halt; fi
exec "${program}" "$@"
`

/** A service manager with one service: it runs the build in its working directory and waits for its port. */
const systemctl = (control: string, directory: string, port: number) => `#!/bin/sh
if [ "$1" != "--user" ]; then echo "LoadState=not-found"; exit 0; fi
shift
case "$1" in
  show) printf 'LoadState=%s\\nWorkingDirectory=%s\\n' "$(cat "${control}/load-state")" "${directory}" ;;
  restart)
    echo restart >> "${control}/restarts"
    if [ -e "${control}/before systemctl restart" ]; then echo "$$" > "${control}/stopped"; exec sleep 1000; fi
    if [ -e "${control}/refuse" ]; then echo "Access denied" >&2; exit 1; fi
    if [ -e "${control}/service" ]; then kill -9 "$(cat "${control}/service")" 2>/dev/null; fi
    cd "${directory}" || exit 1
    setsid "${process.execPath}" dist/cli.js >/dev/null 2>&1 </dev/null &
    echo "$!" > "${control}/service"
    "${process.execPath}" -e '
      const until = Date.now() + 5000
      const look = () => fetch("http://127.0.0.1:${port}/api/version").catch(() => {
        try { process.kill(Number(process.argv[1]), 0) } catch { return }
        if (Date.now() < until) setTimeout(look, 20)
      })
      look()' "$!"
    if [ -e "${control}/after systemctl restart" ]; then echo "$$" > "${control}/stopped"; exec sleep 1000; fi
    ;;
esac
`

/** The programs an update runs, in front of the real ones in `PATH`, and what they can be told. */
export interface Programs {
  readonly path: string
  /** Makes a program stop for good at a place such as `before npm ci`. */
  readonly stopAt: (place: string) => void
  readonly goOn: (place: string) => void
  /** Id of the program that stopped. */
  readonly stopped: () => number | undefined
  /** Makes a program fill the disk with a file, once, and fail. */
  readonly fillOn: (place: string, file: string) => void
  readonly refuseRestarts: (isRefusing: boolean) => void
  readonly restarts: () => number
  readonly withoutService: () => void
  readonly endService: () => void
}

/** Puts the stand-ins into a folder. */
export const makePrograms = (options: {
  readonly home: string
  readonly directory: string
  readonly port: number
  readonly realNpm: boolean
}): Programs => {
  const bin = join(options.home, "bin")
  const control = join(options.home, "control")
  for (const folder of [bin, control]) mkdirSync(folder)
  const install = (name: string, text: string) => writeFileSync(join(bin, name), text, { mode: 0o755 })
  install("git", stopping("git", control))
  install("quick-npm", quickNpm(control))
  install("npm", stopping("npm", control, options.realNpm ? which("npm") : join(bin, "quick-npm")))
  install("systemctl", systemctl(control, options.directory, options.port))
  writeFileSync(join(control, "load-state"), "loaded")
  const read = (name: string) =>
    existsSync(join(control, name)) ? readFileSync(join(control, name), "utf8") : undefined
  const mark = (name: string, isThere: boolean) =>
    isThere ? writeFileSync(join(control, name), "") : rmSync(join(control, name), { force: true })
  return {
    path: `${bin}:${process.env.PATH}`,
    stopAt: (place) => mark(place, true),
    goOn: (place) => {
      mark(place, false)
      mark("stopped", false)
    },
    stopped: () => {
      const text = read("stopped")
      return text === undefined || text === "" ? undefined : Number(text)
    },
    fillOn: (place, file) => writeFileSync(join(control, `fill ${place}`), file),
    refuseRestarts: (isRefusing) => mark("refuse", isRefusing),
    restarts: () => (read("restarts") ?? "").split("\n").filter((line) => line !== "").length,
    withoutService: () => writeFileSync(join(control, "load-state"), "not-found"),
    endService: () => {
      const pid = Number(read("service") ?? 0)
      if (pid > 0) {
        try {
          process.kill(pid, "SIGKILL")
        } catch {
          // It has ended already.
        }
      }
    }
  }
}
