/** Codes of npm and of the system that mean that the registry wasn't reached. */
const NETWORK =
  /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ERR_SOCKET_TIMEOUT|FETCH_ERROR|E5\d\d)$/

/** Why npm could not install a version, in a sentence, from what it printed; undefined where only that says why. */
export const installProblem = (version: string, output: string): string | undefined => {
  const code = /^npm (?:error|ERR!) code (\S+)/m.exec(output)?.[1] ?? ""
  const noSpace = code === "ENOSPC" || /\bENOSPC\b/.test(output)
  if (noSpace) return `There is no disk space left to install openclaw@${version}.`
  if (code === "ETARGET" || code === "E404") return `The npm registry has no openclaw@${version}.`
  if (NETWORK.test(code)) return `The npm registry can't be reached (${code}), so openclaw@${version} isn't installed.`
  return undefined
}
