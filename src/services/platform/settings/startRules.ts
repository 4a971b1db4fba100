import { isIP } from "node:net"
import type { OpenFolder } from "./consoleHome.ts"
import type { SettingsShape } from "./Settings.ts"

const EVERY_INTERFACE = ["0.0.0.0", "[::]", "[::ffff:0:0]"]

/** Whether an address means every network interface; the URL parser knows its many spellings (`0`, `0x0`, `0:0::0`). */
export const isEveryInterface = (host: string): boolean => {
  const address = `http://${host.includes(":") ? `[${host.replace(/%.*$/, "")}]` : host}`
  return URL.canParse(address) && EVERY_INTERFACE.includes(new URL(address).hostname)
}

/** Why the console must not start with these settings, if so: open to the network without a password. */
export const exposureProblem = (
  settings: Pick<SettingsShape, "host" | "authEnabled" | "allowInsecure">
): string | undefined =>
  isEveryInterface(settings.host) && !settings.authEnabled && !settings.allowInsecure
    ? `HOST ${settings.host} would let anyone on the network in without a password: set SVC_AUTH=true, or HOST=127.0.0.1, ` +
      "or SVC_ALLOW_INSECURE=true if something else protects the port"
    : undefined

const OPEN_FOLDERS: Readonly<Record<OpenFolder, string>> = {
  anothers: "it belongs to another user, and its owner decides who may look into it",
  withoutModes: "its file system has no permissions that could be changed"
}

/** The warning for a folder that can't be closed to other users of this machine. */
export const openFolderWarning = (why: OpenFolder): string =>
  `others may be able to read the console's folder: ${OPEN_FOLDERS[why]}`

/** The error if no gateway token is set or found. */
export const MISSING_TOKEN =
  "there's no gateway token: set GATEWAY_TOKEN, in the environment or in .env, to the value of gateway.auth.token in the " +
  "gateway's openclaw.json, or try the console without a gateway: `agent-console --demo`"

/** The error if the token was found on this machine but `GATEWAY_URL` is another gateway. */
export const FOREIGN_GATEWAY =
  "GATEWAY_URL isn't the gateway on this machine, whose token was found and is sent to no other: set GATEWAY_TOKEN to the " +
  "token of the gateway at GATEWAY_URL, or remove GATEWAY_URL"

/** The error of a demo without a usable password: its gateway's token is generated at every start. */
export const DEMO_WITHOUT_PASSWORD =
  "SVC_AUTH is on but there is no password for the demo: set SVC_PASSWORD_HASH (create it with `agent-console hash-password`)"

/** The origin of a console with these settings on its own machine, over HTTP. */
export const localOrigin = ({ host, port }: Pick<SettingsShape, "host" | "port">): string => {
  const name = isEveryInterface(host) ? "127.0.0.1" : host
  return `http://${isIP(name) === 6 ? `[${name}]` : name}:${port}`
}

/** The address at which such a console answers there, with its base path and without a last slash. */
export const localAddress = (settings: Pick<SettingsShape, "host" | "port" | "basePath">): string =>
  `${localOrigin(settings)}${settings.basePath}`
