import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const which = (name: string) => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim()

/** A fast replacement of npm for the small service. */
const quickNpm = (control: string) => `#!/bin/sh
if [ -e "${control}/no network" ] && [ "$1" = ci ]; then echo "npm error code ECONNREFUSED" >&2; exit 1; fi
case "$1" in
  --version) echo 11.0.0 ;;
  ci) rm -rf node_modules && mkdir node_modules && echo "$*" > node_modules/installed ;;
  run) exec "${process.execPath}" build.mjs ;;
esac
`

/** A wrapper that stops before or after the real program's work if a file requests it. */
const stopping = (name: string, control: string, program = which(name)) => `#!/bin/sh
verb=$1
if [ "$verb" = "--no-pager" ]; then
  verb=$2
  if [ "$verb" = "worktree" ]; then verb="worktree $3"; fi
fi
halt() {
  echo "$$" > "${control}/stopped"
  # A test that is over has taken its folder along.
  until [ -e "${control}/resume" ] || [ ! -d "${control}" ]; do sleep 0.02; done
  rm "${control}/resume" || exit 1
}
if [ -e "${control}/kill ${name} $verb" ]; then
  delay=$(cat "${control}/kill ${name} $verb")
  rm "${control}/kill ${name} $verb"
  (sleep "$delay"; kill -9 "$$") >/dev/null 2>&1 </dev/null &
fi
if [ -e "${control}/fill ${name} $verb" ]; then
  filler=$(cat "${control}/fill ${name} $verb")
  rm "${control}/fill ${name} $verb"
  cat /dev/zero > "$filler"
fi
if [ -e "${control}/before ${name} $verb" ]; then halt; fi
if [ -e "${control}/after ${name} $verb" ]; then "${program}" "$@"; code=$?; halt; exit $code; fi
exec "${program}" "$@"
`

/** A service manager with one service: it runs the build in its working directory and waits for its port. */
const systemctl = (control: string, directory: string, port: number, node: string) => `#!/bin/sh
if [ "$1" != "--user" ]; then echo "LoadState=not-found"; exit 0; fi
shift
case "$1" in
  show) printf 'LoadState=%s\\nWorkingDirectory=%s\\n' "$(cat "${control}/load-state")" "${directory}" ;;
  restart)
    echo restart >> "${control}/restarts"
    if [ -e "${control}/before systemctl restart" ]; then echo "$$" > "${control}/stopped"; exec sleep 1000; fi
    if [ -e "${control}/refuse" ]; then echo "Access denied" >&2; exit 1; fi
    if [ -e "${control}/service" ]; then
      old=$(cat "${control}/service")
      kill -9 "$old" 2>/dev/null
      while [ -e "/proc/$old/exe" ]; do sleep 0.01; done
    fi
    cd "${directory}" || exit 1
    setsid "${node}" dist/cli.js >/dev/null 2>&1 </dev/null &
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

/** The wrappers of the programs that an update runs, before the real ones in `PATH`, and their controls. */
export interface Programs {
  readonly path: string
  /** Makes a program stop at a place such as `before npm ci`. */
  readonly stopAt: (place: string) => void
  /** Programs that come to the place from now on do not stop there; one that has stopped does not go on. */
  readonly goOn: (place: string) => void
  /** Lets the program go on that stopped. */
  readonly resume: () => void
  /** Id of the program that stopped. */
  readonly stopped: () => number | undefined
  /** Kills a program at a place such as `npm ci`, once, after so many seconds. */
  readonly killOn: (place: string, seconds: number) => void
  /** Fills the disk with a file before a program does its work, once. */
  readonly fillOn: (place: string, file: string) => void
  /** Makes npm fail from now on, as without a network. */
  readonly breakNpm: () => void
  readonly mendNpm: () => void
  readonly refuseRestarts: (isRefusing: boolean) => void
  /** Restarts the service, as its machine does. */
  readonly restart: () => void
  readonly restarts: () => number
  readonly withoutService: () => void
  readonly endService: () => void
}

/** Writes the wrappers into a folder. */
export const makePrograms = (options: {
  readonly home: string
  readonly directory: string
  readonly port: number
  readonly realNpm: boolean
  /** Whether the service runs on the Node among its packages. */
  readonly ownNode: boolean
}): Programs => {
  const bin = join(options.home, "bin")
  const control = join(options.home, "control")
  for (const folder of [bin, control]) mkdirSync(folder)
  const node = options.ownNode ? join(options.directory, "node_modules/node/bin/node") : process.execPath
  const install = (name: string, text: string) => writeFileSync(join(bin, name), text, { mode: 0o755 })
  install("git", stopping("git", control))
  install("quick-npm", quickNpm(control))
  install("npm", stopping("npm", control, options.realNpm ? which("npm") : join(bin, "quick-npm")))
  install("systemctl", systemctl(control, options.directory, options.port, node))
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
    resume: () => mark("resume", true),
    stopped: () => {
      const text = read("stopped")
      return text === undefined || text === "" ? undefined : Number(text)
    },
    killOn: (place, seconds) => writeFileSync(join(control, `kill ${place}`), seconds.toFixed(3)),
    fillOn: (place, file) => writeFileSync(join(control, `fill ${place}`), file),
    breakNpm: () => mark("no network", true),
    mendNpm: () => mark("no network", false),
    refuseRestarts: (isRefusing) => mark("refuse", isRefusing),
    restart: () => {
      execFileSync(join(bin, "systemctl"), ["--user", "restart"], { stdio: "ignore" })
    },
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
