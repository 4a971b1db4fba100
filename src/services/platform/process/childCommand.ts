import { Effect } from "effect"
import { ChildProcess } from "effect/process"
import { ownVariables } from "../../../node/ownVariables.ts"

type Variables = Readonly<Record<string, string | undefined>>

/** Variables that any program may need, none of them secret. `*` matches any ending; case is ignored, as on Windows. */
const COMMON: ReadonlyArray<string> = [
  // The folders of programs, and of shared libraries that aren't installed for the whole system.
  ...["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "NIX_LD", "NIX_LD_LIBRARY_PATH"],
  // The folders in which the shims of version managers look up programs.
  ...["NVM_DIR", "VOLTA_HOME", "FNM_DIR", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_CONFIG_DIR"],
  ...["PNPM_HOME", "BUN_INSTALL", "COREPACK_HOME"],
  // The user, and the folders of settings, sign-ins and caches.
  ...["HOME", "USER", "LOGNAME", "SHELL"],
  ...["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME", "XDG_STATE_HOME"],
  // Temporary files.
  ...["TMPDIR", "TMP", "TEMP"],
  // Language and time zone.
  ...["LANG", "LC_*", "TZ", "TZDIR"],
  // Windows starts no program without some of these; the others are its PATH and HOME.
  ...["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "OS", "NUMBER_OF_PROCESSORS"],
  ...["PROCESSOR_ARCHITECTURE", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA"],
  ...["ProgramData", "ProgramFiles", "ProgramFiles(x86)", "CommonProgramFiles"]
]

/** Variables that some programs need besides; each start of a program names its groups. */
const NEEDS = {
  /** Proxies and certificate authorities. A proxy's address may contain its password, so local programs don't get it. */
  network: [
    ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_USE_ENV_PROXY"],
    ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA"]
  ],
  /** The user's session: a user's own services and key rings are reached through it. */
  session: ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"],
  /**
   * How the user's `git` reaches a remote, and the files of its settings. Variables that name a repository or an index,
   * or set single settings, are left out: they belong to the command that started the console.
   */
  git: [
    ...["SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"],
    ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"],
    // The user whose files git trusts when `sudo` started it.
    "SUDO_UID"
  ],
  /** npm's settings (including registries and their sign-ins), and the memory limit of a build. */
  npm: ["npm_config_*", "NODE_OPTIONS"],
  /** The gateway's variables; its configuration may read its token from one. */
  gateway: ["OPENCLAW_*"],
  /** Where agent B's tool keeps its sign-in, or that sign-in itself. */
  agentB: ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

/** A group of variables beyond those that every program gets. */
export type Need = keyof typeof NEEDS

interface ChildNeeds {
  readonly needs?: ReadonlyArray<Need> | undefined
  /** Values that replace the console's; `undefined` leaves the variable out. */
  readonly set?: Variables | undefined
}

const isNamed = (name: string, patterns: ReadonlyArray<string>): boolean => {
  const lower = name.toLowerCase()
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase()
    return wanted.endsWith("*") ? lower.startsWith(wanted.slice(0, -1)) : lower === wanted
  })
}

/**
 * The environment of a program that the console starts. The console's environment contains secrets (tokens, keys,
 * addresses with passwords), so a program gets the variables on these lists and no others.
 */
export const childVariables = (
  variables: Variables,
  { needs = [], set = {} }: ChildNeeds = {}
): Record<string, string> => {
  const patterns = [...COMMON, ...needs.flatMap((need) => NEEDS[need])]
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(variables)) {
    if (value !== undefined && isNamed(name, patterns) && !isNamed(name, Object.keys(set))) given[name] = value
  }
  for (const [name, value] of Object.entries(set)) if (value !== undefined) given[name] = value
  return given
}

type Options = Omit<ChildProcess.CommandOptions, "env" | "extendEnv" | "shell"> & ChildNeeds

/** A command with the variables it needs instead of all the console's. */
export const childCommand = (program: string, args: ReadonlyArray<string>, { needs, set, ...options }: Options) =>
  Effect.map(ownVariables, (variables) =>
    ChildProcess.make(program, args, { ...options, env: childVariables(variables, { needs, set }) })
  )
