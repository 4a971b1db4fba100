import type { SettingsShape } from "../settings/Settings.ts"
import { exposureProblem } from "../settings/startRules.ts"
import { type Finding, ok, problem, warning } from "./doctorCheck.ts"

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/

/** Who can get in, and whether that looks meant. */
export const signInFinding = (
  settings: Pick<SettingsShape, "host" | "authEnabled" | "allowInsecure" | "passwordHash" | "sessionSecret">
): Finding => {
  const exposed = exposureProblem(settings)
  if (exposed !== undefined) {
    return problem("The console would be open to the network without a password, so it does not start.", `${exposed}.`)
  }
  if (!settings.authEnabled) {
    return LOOPBACK.test(settings.host)
      ? ok("Off; only this machine reaches the console.")
      : warning(
          `Off, and the console listens on ${settings.host}: whoever reaches that address gets in.`,
          "Set SVC_AUTH=true and SVC_PASSWORD_HASH (make one with `agent-console hash-password`)."
        )
  }
  if (settings.passwordHash === undefined) {
    return warning(
      "On, with the gateway's token as the password.",
      "Set SVC_PASSWORD_HASH (make one with `agent-console hash-password`)."
    )
  }
  return settings.sessionSecret === undefined
    ? warning(
        "On, but everybody has to sign in again after each restart.",
        "Set SVC_SESSION_SECRET to 64 hexadecimal digits, for example from `openssl rand -hex 32`."
      )
    : ok("On, with a password.")
}

/** What answers at the console's own address. */
export type PortUse =
  | { readonly kind: "console"; readonly version: string }
  | { readonly kind: "free" }
  | { readonly kind: "taken" }
  | { readonly kind: "forbidden" }
  | { readonly kind: "noSuchAddress" }

/** Whether the console has its port, or could have it. */
export const portFinding = ({ host, port }: Pick<SettingsShape, "host" | "port">, use: PortUse): Finding => {
  switch (use.kind) {
    case "console":
      return ok(`A console, version ${use.version}, answers on port ${port}.`)
    case "free":
      return ok(`Port ${port} on ${host} is free.`)
    case "taken":
      return problem(
        `Another program has port ${port} on ${host}.`,
        "End that program, or set PORT to a number nobody uses."
      )
    case "forbidden":
      return problem(`This user may not listen on port ${port}.`, "Set PORT to a number above 1023.")
    case "noSuchAddress":
      return problem(
        `HOST ${host} is not an address of this machine.`,
        "Set HOST=127.0.0.1 for this machine alone, or HOST=0.0.0.0 for every network."
      )
  }
}
