type Variables = Readonly<Record<string, string | undefined>>

/**
 * What any program may need to run at all. None of them is a secret. `*` stands for any ending; case doesn't matter,
 * as on Windows.
 */
const COMMON: ReadonlyArray<string> = [
  // Where programs are, and the shared libraries of those that weren't installed for the whole system.
  ...["PATH", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH", "NIX_LD", "NIX_LD_LIBRARY_PATH"],
  // Where version managers keep the programs that their stand-ins in PATH look up.
  ...["NVM_DIR", "VOLTA_HOME", "FNM_DIR", "ASDF_DIR", "ASDF_DATA_DIR", "MISE_DATA_DIR", "MISE_CONFIG_DIR"],
  ...["PNPM_HOME", "BUN_INSTALL", "COREPACK_HOME"],
  // Who runs them, and where their own settings, sign-ins and caches are.
  ...["HOME", "USER", "LOGNAME", "SHELL"],
  ...["XDG_CONFIG_HOME", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_CACHE_HOME", "XDG_STATE_HOME"],
  // Room for files that are gone afterwards.
  ...["TMPDIR", "TMP", "TEMP"],
  // How they write texts and times.
  ...["LANG", "LC_*", "TZ", "TZDIR"],
  // Windows starts no program without some of these; the others are its PATH and HOME.
  ...["SystemRoot", "SystemDrive", "windir", "ComSpec", "PATHEXT", "OS", "NUMBER_OF_PROCESSORS"],
  ...["PROCESSOR_ARCHITECTURE", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "APPDATA", "LOCALAPPDATA"],
  ...["ProgramData", "ProgramFiles", "ProgramFiles(x86)", "CommonProgramFiles"]
]

/** What some programs need besides; each start of a program names what it does. */
const NEEDS = {
  /** Proxies and certificate authorities. A proxy's address may hold its password, so not for what stays on this machine. */
  network: [
    ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "NODE_USE_ENV_PROXY"],
    ...["SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "NODE_USE_SYSTEM_CA"]
  ],
  /** The user's session: a user's own services and key rings are reached through it. */
  session: ["XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"],
  /**
   * How the user's `git` reaches a remote, and where the user's own settings for it are. Nothing that names another
   * repository or index, or that sets single settings: those are about the command that the console was started by.
   */
  git: [
    ...["SSH_AUTH_SOCK", "GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH"],
    ...["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"],
    // Whose files git takes for its user's own where `sudo` started it.
    "SUDO_UID"
  ],
  /** npm's settings (a registry and the sign-in to it among them), and how much memory a build may take. */
  npm: ["npm_config_*", "NODE_OPTIONS"],
  /** The gateway's own variables; its configuration may take its own token from one. */
  gateway: ["OPENCLAW_*"],
  /** Where agent B's tool keeps its sign-in, or that sign-in itself. */
  agentB: ["CLAUDE_CONFIG_DIR", "CLAUDE_CODE_OAUTH_TOKEN"]
} as const satisfies Readonly<Record<string, ReadonlyArray<string>>>

/** A group of variables beyond those that every program gets. */
export type Need = keyof typeof NEEDS

export interface ChildNeeds {
  readonly needs?: ReadonlyArray<Need> | undefined
  /** The console's choice, whatever its own value is; `undefined` leaves the variable out. */
  readonly set?: Variables | undefined
}

const isNamed = (name: string, patterns: ReadonlyArray<string>): boolean => {
  const own = name.toLowerCase()
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase()
    return wanted.endsWith("*") ? own.startsWith(wanted.slice(0, -1)) : own === wanted
  })
}

/**
 * The whole environment of a program that the console starts. The console's own holds secrets (tokens, keys, addresses
 * with passwords, and whatever else its user has set), so a program gets what's on these lists and nothing else.
 */
export const childVariables = (own: Variables, { needs = [], set = {} }: ChildNeeds = {}): Record<string, string> => {
  const patterns = [...COMMON, ...needs.flatMap((need) => NEEDS[need])]
  const given: Record<string, string> = {}
  for (const [name, value] of Object.entries(own)) {
    if (value !== undefined && isNamed(name, patterns) && !isNamed(name, Object.keys(set))) given[name] = value
  }
  for (const [name, value] of Object.entries(set)) if (value !== undefined) given[name] = value
  return given
}
