import { failure } from "../../../contract/failures.ts"
import { type ProxySign, signSentences } from "../../access/trust/proxySigns.ts"
import type { SettingsShape } from "../../platform/settings/Settings.ts"
import { exposureProblem } from "../../platform/settings/startRules.ts"
import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

/** Who can get in, and whether that looks intended. */
export const signInFinding = (
  settings: Pick<SettingsShape, "host" | "authEnabled" | "allowInsecure" | "passwordHash" | "sessionSecret">
): Finding => {
  const exposed = exposureProblem(settings)
  if (exposed !== undefined) {
    return problem("The console won't start: it would be open to the network without a password.", `${exposed}.`)
  }
  if (!settings.authEnabled) {
    return LOOPBACK.test(settings.host)
      ? ok(failure("SIGN_IN_OFF"))
      : warning(failure("SIGN_IN_OFF_EXPOSED", { host: settings.host }), failure("SET_SIGN_IN"))
  }
  if (settings.passwordHash === undefined) {
    return warning(failure("SIGN_IN_WITH_TOKEN"), failure("SET_PASSWORD_HASH"))
  }
  return settings.sessionSecret === undefined
    ? warning(failure("SIGN_IN_UNTIL_RESTART"), failure("SET_SESSION_SECRET"))
    : ok(failure("SIGN_IN_ON"))
}

/** What the running console has seen of a proxy that it doesn't see through, the first thing first. */
export const proxyFinding = (signs: ReadonlyArray<ProxySign>): Finding | undefined => {
  const [first] = signs
  if (first === undefined) return undefined
  const { detail, fix } = signSentences(first)
  return warning(detail, fix)
}

/** What answers at the console's own address. */
export type PortUse =
  | { readonly kind: "console"; readonly version: string }
  | { readonly kind: "free" }
  | { readonly kind: "taken" }
  | { readonly kind: "forbidden" }
  | { readonly kind: "noSuchAddress" }

/** Whether the console has its port or could get it. */
export const portFinding = ({ host, port }: Pick<SettingsShape, "host" | "port">, use: PortUse): Finding => {
  switch (use.kind) {
    case "console":
      return ok(failure("CONSOLE_RUNNING", { version: use.version, port }))
    case "free":
      return ok(`Port ${port} on ${host} is free.`)
    case "taken":
      return problem(
        `Another program is using port ${port} on ${host}.`,
        "Stop that program or set PORT to a free port."
      )
    case "forbidden":
      return problem(`This user isn't allowed to listen on port ${port}.`, "Set PORT to a number above 1023.")
    case "noSuchAddress":
      return problem(
        `HOST ${host} isn't an address of this machine.`,
        "Set HOST=127.0.0.1 for this machine only, or HOST=0.0.0.0 for every network."
      )
  }
}
