import { parseArgs } from "node:util"

/** The generations of the gateway that the console speaks to, by the version that stands for each; the newer first. */
export const GATEWAY_VERSIONS = ["2026.9.6", "2026.3.23-2"] as const

export interface StartOptions {
  readonly version: string
  /** Loopback port; 0 is any free one. */
  readonly port: number
  /** Default: a new one. */
  readonly token?: string
  /** Keeps the gateway's state here; default a folder that is removed at the end. */
  readonly home?: string
  /** Settings of the gateway by their dotted paths, over those it starts with. */
  readonly settings: ReadonlyArray<readonly [path: string, value: unknown]>
}

export interface Options extends StartOptions {
  readonly json: boolean
  readonly logs: boolean
  readonly installOnly: boolean
}

export type Asked = { readonly options: Options } | { readonly help: true } | { readonly mistake: string }

export const HELP = `npm run gateway -- [options]

Starts a real agent gateway on loopback, with a scripted model and a throw-away home, and stops it when this ends:
on Ctrl-C, when the program that started it is gone, or when what feeds its standard input closes it. A second Ctrl-C
doesn't wait for it.

  --version V      version of the npm package openclaw, default ${GATEWAY_VERSIONS[0]} (the older generation: ${GATEWAY_VERSIONS[1]})
  --port N         default a free one
  --token T        default a new one
  --home DIR       keep its state there and start with it again; default a folder that is removed at the end
  --ask            commands of the agent need a permission first
  --set PATH=JSON  one setting of the gateway, such as update.checkOnStart=true; may be repeated
  --json           print one JSON line when it's ready, for programs
  --logs           show what the gateway writes
  --install-only   install that version and end
  --help

Versions are installed once, about 600 MB each, into the user's cache folder, or the one that GATEWAY_CACHE names.

The model echoes what it's told, but for these words: slow, tool, approval (with --ask), question, think,
fail, hang.
Orders anywhere in a message say more: [[mock:text=hello]] [[mock:think=hm]] [[mock:before=let me look]]
[[mock:tool=exec {"command":"date"}]] [[mock:delay=50]] (milliseconds between pieces) [[mock:chunks=40]]
[[mock:repeat=9]] [[mock:hang]] [[mock:error=500]] [[mock:usage=INPUT,OUTPUT,CACHED]]

Exit codes: 0 stopped, 130 stopped without waiting, 2 usage, 3 port in use, 4 can't be installed, 5 doesn't start or ended by itself.`

const ASK_ALWAYS = [
  ["tools.exec.security", "allowlist"],
  ["tools.exec.ask", "always"]
] as const

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/

const mistakeOf = (problem: unknown): string => (problem instanceof Error ? problem.message : String(problem))

const settingOf = (text: string): readonly [string, unknown] => {
  const at = text.indexOf("=")
  if (at <= 0) throw new Error(`--set ${text} isn't PATH=JSON`)
  const value = text.slice(at + 1)
  try {
    return [text.slice(0, at), JSON.parse(value)]
  } catch {
    throw new Error(`--set ${text}: ${value} isn't JSON`)
  }
}

/** What the command line asks for. */
export const parseOptions = (args: ReadonlyArray<string>): Asked => {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        version: { type: "string", default: GATEWAY_VERSIONS[0] },
        port: { type: "string", default: "0" },
        token: { type: "string" },
        home: { type: "string" },
        ask: { type: "boolean", default: false },
        set: { type: "string", multiple: true, default: [] },
        json: { type: "boolean", default: false },
        logs: { type: "boolean", default: false },
        "install-only": { type: "boolean", default: false },
        help: { type: "boolean", short: "h" }
      }
    })
    if (values.help === true) return { help: true }
    const { version, token, home, json, logs } = values
    const port = Number(values.port)
    if (!VERSION.test(version))
      return { mistake: `--version ${version} isn't a version such as ${GATEWAY_VERSIONS[0]}` }
    if (!(Number.isInteger(port) && port >= 0 && port < 65536)) return { mistake: `--port ${values.port} isn't a port` }
    if (token === "" || home === "") return { mistake: `--${token === "" ? "token" : "home"} is empty` }
    return {
      options: {
        version,
        port,
        ...(token === undefined ? {} : { token }),
        ...(home === undefined ? {} : { home }),
        settings: [...(values.ask ? ASK_ALWAYS : []), ...values.set.map(settingOf)],
        json,
        logs,
        installOnly: values["install-only"]
      }
    }
  } catch (problem) {
    return { mistake: mistakeOf(problem) }
  }
}
