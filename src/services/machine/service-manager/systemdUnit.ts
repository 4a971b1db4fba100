import type { ServiceDefinition } from "./ServiceDefinition.ts"
import type { SystemdScope } from "./serviceNames.ts"

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
