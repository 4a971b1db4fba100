import type { ServiceDefinition } from "./ServiceDefinition.ts"
import { LAUNCHD_LABEL } from "./serviceNames.ts"

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;"
}

const text = (value: string): string =>
  `<string>${value.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? "")}</string>`

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
    "  <key>ThrottleInterval</key><integer>5</integer>",
    "  <key>ProcessType</key><string>Interactive</string>",
    `  <key>Umask</key><integer>${OWNER_ONLY}</integer>`,
    `  <key>StandardOutPath</key>${text(service.logFile)}`,
    `  <key>StandardErrorPath</key>${text(service.logFile)}`,
    "</dict>",
    "</plist>",
    ""
  ].join("\n")
