import type { ServiceDefinition } from "./ServiceDefinition.ts"
import type { SystemdScope } from "./serviceNames.ts"

/** Exit codes after which another start would end the same way: the command line, settings, folder and Node. */
const HOPELESS = [2, 3, 5, 6]

/** One word of a command line as systemd reads it: quoted, with its variables and specifiers switched off. */
export const quoteForSystemd = (word: string): string =>
  `"${word.replace(/[\\"]/g, "\\$&").replaceAll("%", "%%").replaceAll("$", "$$$$").replaceAll("\n", "\\n")}"`

/** A path as it stands alone after `=`. */
const plainPath = (path: string): string => path.replaceAll("%", "%%")

/** What a manager of one user may take away without help of the kernel's mount namespaces. */
const FOR_EVERYBODY = [
  "NoNewPrivileges=yes",
  "LockPersonality=yes",
  "RestrictRealtime=yes",
  "RestrictSUIDSGID=yes",
  "RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
  "SystemCallArchitectures=native",
  "UMask=0077"
]

/** What only the system's manager can take away. Memory has to stay executable: Node compiles as it runs. */
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

/** The console as a unit of systemd, closed in as far as it does not need. */
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
