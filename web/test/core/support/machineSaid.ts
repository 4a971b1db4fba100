import { Redacted } from "effect"
import { portFinding, proxyFinding, signInFinding } from "../../../../src/services/machine/doctor/accessRules.ts"
import { certificateFinding } from "../../../../src/services/machine/doctor/certificateRules.ts"
import type { Finding } from "../../../../src/services/machine/doctor/doctorCheck.ts"
import { gatewayFilesFinding, homeFinding } from "../../../../src/services/machine/doctor/folderRules.ts"
import { deviceFinding, gatewayFinding, tokenFinding } from "../../../../src/services/machine/doctor/gatewayRules.ts"
import { settingsFindings } from "../../../../src/services/machine/doctor/settingsRules.ts"
import {
  forDemo,
  localSpeechFinding,
  vendorSpeechFinding
} from "../../../../src/services/machine/doctor/speechRules.ts"
import { NO_CHECKOUT, NO_REMOTE } from "../../../../src/services/machine/update/UpdateTarget.ts"
import { settingNotes } from "../../../../src/services/platform/settings/settingNotes.ts"

const ADDRESS = "ws://10.0.0.5:18789"
const folder = { isThere: true, isFolder: true, isReadable: true, isWritable: true, mode: 0o700, freeBytes: 2 ** 40 }
const signIn = {
  host: "127.0.0.1",
  authEnabled: true,
  allowInsecure: false,
  passwordHash: undefined,
  sessionSecret: undefined
}
const certs = { cert: "PEM", key: "PEM", others: [], served: undefined, isRunning: false }
const ODD_SETTINGS = `SVC_AUHT=true
NONE_OF_THE_CONSOLES=1
PORT=1
PORT=2
HOST: all
ALLOWED_ORIGINS=nas.example
CSP_CONNECT_EXTRA=nas.example
WS_ALLOWED_HOSTS=nas.example:1
NOTIFY_SECRET=x
SVC_PASSWORD_HASH=x
PUSH_CONTACT=mailto:me@localhost
GATEWAY_URL=https://gateway.example/base
SVC_LANGUAGE=nl
`
const working = { gateway: "ok", since: 1 } as const
const connection = { protocol: 4, version: "2026.9.6", scopes: ["operator.read"], methods: new Set<string>() }

const FINDINGS: ReadonlyArray<Finding> = [
  tokenFinding(true),
  tokenFinding(false),
  gatewayFinding(ADDRESS, working, connection),
  gatewayFinding(ADDRESS, working, { ...connection, version: undefined }),
  gatewayFinding(ADDRESS, { ...working, gateway: "unreachable" }, undefined),
  deviceFinding(working, undefined),
  deviceFinding(working, connection),
  deviceFinding(working, { ...connection, scopes: [] }),
  signInFinding({ ...signIn, authEnabled: false }),
  signInFinding({ ...signIn, authEnabled: false, host: "10.0.0.5", allowInsecure: true }),
  signInFinding(signIn),
  signInFinding({ ...signIn, passwordHash: Redacted.make("scrypt") }),
  ...[{ kind: "untrusted", address: "172.18.0.5" } as const, { kind: "silent", host: "nas.example" } as const].flatMap(
    (sign) => proxyFinding([sign]) ?? []
  ),
  portFinding({ host: "127.0.0.1", port: 3080 }, { kind: "console", version: "1.0.0" }),
  certificateFinding({ ...certs, cert: undefined, key: undefined }, 0),
  certificateFinding({ ...certs, cert: undefined, key: undefined, others: ["fullchain.pem"] }, 0),
  certificateFinding({ ...certs, key: undefined }, 0),
  certificateFinding({ ...certs, cert: "unreadable" }, 0),
  certificateFinding(certs, 0),
  homeFinding(folder),
  homeFinding(folder, { open: "anothers" }),
  homeFinding(folder, { open: "withoutModes" }),
  homeFinding(folder, { fault: { reason: "disk_full", message: "" } }),
  homeFinding({ ...folder, isWritable: false }),
  homeFinding({ ...folder, freeBytes: 2 ** 20 }),
  gatewayFilesFinding({ ...folder, isThere: false }, folder),
  gatewayFilesFinding(folder, { ...folder, isThere: false }),
  gatewayFilesFinding(folder, { ...folder, isReadable: false }),
  gatewayFilesFinding(folder, { ...folder, isWritable: false }),
  gatewayFilesFinding(folder, folder),
  gatewayFilesFinding(folder, folder, { deafTo: "silent", fileSystem: undefined }),
  gatewayFilesFinding(folder, folder, { deafTo: "elsewhere", fileSystem: "NFS" }),
  ...settingsFindings([], []),
  ...settingsFindings(settingNotes({ environment: { SVC_AUHT: "true" }, dotEnv: ODD_SETTINGS }), ["PORT"]),
  localSpeechFinding("tiny", true),
  localSpeechFinding("tiny", false),
  forDemo(localSpeechFinding("tiny", false)),
  vendorSpeechFinding(true),
  vendorSpeechFinding(false)
]

/** What the server says of its machine. */
export const SAID_OF_MACHINE = [
  ...new Set(FINDINGS.flatMap(({ detail, fix }) => (fix === undefined ? [detail] : [detail, fix]))),
  NO_CHECKOUT,
  NO_REMOTE
]

const machine = "src/services/machine"
const limits = "src/services/usage/limits"

/** The same for sentences that no test reaches, by file, without those that are equal in German; {} is a value. */
export const MACHINE_IN_SOURCES: Readonly<Record<string, ReadonlyArray<string>>> = {
  [`${machine}/doctor/Doctor.ts`]: [
    "Gateway token",
    "Device approval",
    "Gateway's files",
    "Console's folder",
    "Sign-in",
    "Certificate",
    "Speech model",
    "Version {} is too old.",
    "Install Node {} or newer.",
    "Shared with other consoles, on PostgreSQL {}.",
    "Start the database, or correct BOARD_URL; without it the board is in the console's own folder."
  ],
  [`${machine}/doctor/lookAtPrograms.ts`]: [
    "Couldn't run it; it converts recordings other than WAV for speech recognition on this machine (the console's page converts its own), and voices that aren't MP3.",
    "Install it (`apt install ffmpeg`, `dnf install ffmpeg` or `brew install ffmpeg`), or set FFMPEG_COMMAND.",
    "Couldn't run it; without it, sessions show no branch and updates aren't possible.",
    "Couldn't run it; the console asks it what the gateway's connection can't answer.",
    "Not needed: the gateway isn't on this machine.",
    "Couldn't run it; without it, Usage doesn't show Claude Code's limits.",
    "Install it. If a shell finds it and the service doesn't, run `agent-console service install` in that shell."
  ],
  [`${machine}/doctor/certificateRules.ts`]: [
    "The console can't start: certs/key.pem doesn't belong to certs/cert.pem.",
    "The certificate expired on {}, so browsers reject it.",
    "The certificate isn't valid until {}.",
    "Check this machine's clock.",
    "The certificate expires on {}.",
    "Renew it.",
    "The console serves another certificate than the one in certs/cert.pem.",
    "certs/ has a certificate that the console doesn't serve yet.",
    "A new certificate is used within a minute. If this stays, restart the console.",
    "Valid until {}."
  ],
  [`${machine}/update/Releases.ts`]: [
    "the git remote isn't on a code host",
    "the code host didn't answer within 10 seconds",
    "the code host's answer isn't a release",
    "couldn't reach the code host",
    "the code host has no published release",
    "the code host answered with status {}",
    "the code host answers with a redirect: set the git remote, or SVC_RELEASES_URL, to where it leads",
    "the latest published release isn't named vX.Y.Z"
  ],
  [`${limits}/AgentLimits.ts`]: ["the limits are being fetched: try again in a few seconds"],
  [`${limits}/agentALimits.ts`]: [
    "Codex isn't signed in on this machine and hasn't reported any limits yet: use it once"
  ],
  [`${limits}/agentBLimits.ts`]: [
    "Claude Code isn't on this machine, or the console can't find it: install it and sign in",
    "Claude Code took too long: run it once by hand on this machine",
    "Claude Code reported no limits: sign in with it on this machine"
  ]
}
