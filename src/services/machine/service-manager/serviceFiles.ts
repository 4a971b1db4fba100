import { isAbsolute, posix } from "node:path"

/** Name of the systemd unit, both for a user and for the system. */
export const SYSTEMD_UNIT = "agent-console.service"

/** Label of the launchd agent. */
export const LAUNCHD_LABEL = "agent-console"

/** Whose systemd. */
export type SystemdScope = "user" | "system"

/** The supported service managers. */
export type Manager = "systemd-user" | "systemd-system" | "launchd"

/** Where this user's service files are. */
export interface ServicePlaces {
  readonly homeDir: string
  /** `XDG_CONFIG_HOME` or its default. */
  readonly configDir: string
}

/** The file that a manager reads the service from. */
export const serviceFile = (manager: Manager, { configDir, homeDir }: ServicePlaces): string => {
  switch (manager) {
    case "systemd-user":
      return posix.join(configDir, "systemd/user", SYSTEMD_UNIT)
    case "systemd-system":
      return posix.join("/etc/systemd/system", SYSTEMD_UNIT)
    case "launchd":
      return posix.join(homeDir, "Library/LaunchAgents", `${LAUNCHD_LABEL}.plist`)
  }
}

/** Reads `systemctl show --property=…`. */
export const parseProperties = (text: string): Readonly<Partial<Record<string, string>>> =>
  Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const at = line.indexOf("=")
      return at === -1 ? [] : [[line.slice(0, at), line.slice(at + 1)]]
    })
  )

/** What a service manager needs to know about the console. Paths are absolute. */
export interface ServiceDefinition {
  /** The Node that runs it. */
  readonly node: string
  /** `dist/cli.js`. */
  readonly script: string
  /** Working directory: the folder with `.env` and `certs/`. */
  readonly directory: string
  /** Where launchd writes its output; systemd has its journal. */
  readonly logFile: string
  /** Where it finds programs; `undefined` leaves that to the service manager. */
  readonly path: string | undefined
  /** The user a system-wide service runs as. */
  readonly user: string
}

/** Exit codes that a restart can't fix: command line, settings, folder and Node. */
const HOPELESS = [2, 3, 5, 6]

/** One word of a systemd command line: quoted, with variables and specifiers escaped. */
export const quoteForSystemd = (word: string): string =>
  `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$").replaceAll("\n", "\\n")}"`

/** A variable of `Environment=`: quoted, with specifiers escaped; there, a dollar sign is just that. */
const variable = (name: string, value: string): string =>
  `"${name}=${value.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("\n", "\\n")}"`

/** A path on its own after `=`. */
const plainPath = (path: string): string => path.replaceAll("%", "%%")

/** The restrictions a user's manager can apply without mount namespaces. */
const FOR_EVERYBODY = [
  "NoNewPrivileges=yes",
  "LockPersonality=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
  "SystemCallArchitectures=native",
  "UMask=0077"
]

/**
 * The restrictions only the system's manager can apply. Memory has to stay executable because Node compiles at run
 * time.
 */
const FOR_SYSTEM = [
  "CapabilityBoundingSet=",
  "PrivateTmp=yes",
  "PrivateDevices=yes",
  "ProtectSystem=full",
  "ProtectClock=yes",
  "ProtectControlGroups=yes",
  "ProtectHostname=yes",
  "ProtectKernelLogs=yes",
  "ProtectKernelModules=yes",
  "ProtectKernelTunables=yes",
  "RestrictNamespaces=yes"
]

/** The console as a systemd unit, with everything it doesn't need locked down. */
export const systemdUnit = (service: ServiceDefinition, scope: SystemdScope): string =>
  [
    "[Unit]",
    "Description=Agent Console",
    ...(scope === "system" ? ["Wants=network-online.target", "After=network-online.target"] : []),
    "",
    "[Service]",
    "Type=exec",
    ...(scope === "system" ? [`User=${service.user}`] : []),
    `WorkingDirectory=${plainPath(service.directory)}`,
    `ExecStart=${[service.node, service.script, "serve"].map(quoteForSystemd).join(" ")}`,
    ...(service.path === undefined ? [] : [`Environment=${variable("PATH", service.path)}`]),
    "Restart=on-failure",
    "RestartSec=2",
    `RestartPreventExitStatus=${HOPELESS.join(" ")}`,
    "TimeoutStopSec=10",
    ...FOR_EVERYBODY,
    ...(scope === "system" ? FOR_SYSTEM : []),
    "",
    "[Install]",
    `WantedBy=${scope === "system" ? "multi-user.target" : "default.target"}`,
    ""
  ].join("\n")

/** What npm puts in front while it runs a script. */
const OF_NPM = /\/node_modules\/(\.bin|npm\/node_modules\/@npmcli\/run-script\/lib\/node-gyp-bin)\/?$/

/**
 * The PATH that a service gets: the one of the shell that installs it, so that both find the same programs. Left out is
 * what means another folder elsewhere, and what npm adds for its scripts.
 */
export const servicePath = (path: string | undefined): string | undefined => {
  const folders = (path ?? "").split(posix.delimiter).filter((folder) => isAbsolute(folder) && !OF_NPM.test(folder))
  return folders.length === 0 ? undefined : [...new Set(folders)].join(posix.delimiter)
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

const text = (value: string): string =>
  `<string>${value.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? "")}</string>`

/** Seconds between two starts at least: launchd tries again whatever the exit code, also where that's hopeless. */
const THROTTLE = 30

/** Octal 077; property lists only have decimal numbers. */
const OWNER_ONLY = 0o077

/** The console as a launchd agent: runs while its user is signed in and restarts after a failure. */
export const launchdPlist = (service: ServiceDefinition): string =>
  [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    `  <key>Label</key>${text(LAUNCHD_LABEL)}`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    ...[service.node, service.script, "serve"].map((word) => `    ${text(word)}`),
    "  </array>",
    `  <key>WorkingDirectory</key>${text(service.directory)}`,
    ...(service.path === undefined
      ? []
      : [`  <key>EnvironmentVariables</key>`, `  <dict><key>PATH</key>${text(service.path)}</dict>`]),
    "  <key>RunAtLoad</key><true/>",
    "  <key>KeepAlive</key>",
    "  <dict><key>SuccessfulExit</key><false/></dict>",
    `  <key>ThrottleInterval</key><integer>${THROTTLE}</integer>`,
    "  <key>ProcessType</key><string>Interactive</string>",
    `  <key>Umask</key><integer>${OWNER_ONLY}</integer>`,
    `  <key>StandardOutPath</key>${text(service.logFile)}`,
    `  <key>StandardErrorPath</key>${text(service.logFile)}`,
    "</dict>",
    "</plist>",
    ""
  ].join("\n")
