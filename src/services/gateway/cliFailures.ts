import { GatewayError } from "./GatewayError.ts"

const failure = (reason: GatewayError["reason"], message: string) => new GatewayError({ reason, message })

/** The tool could not be started. */
export const cliMissing = failure(
  "not_found",
  "The gateway's command-line tool was not found: install it on this machine, or set GATEWAY_CLI to its path."
)

/** The tool was stopped at its limit. */
export const cliTimedOut = failure(
  "timeout",
  "The gateway's command-line tool did not end in time and was stopped: try again, or run it by hand to see why."
)

/** The tool ended with an error of its own. */
export const cliFailed = failure(
  "failed",
  "The gateway's command-line tool failed: run `openclaw status` on the console's machine to see why."
)

/** What the tool printed is not what was asked for. */
export const cliWrongShape = failure(
  "shape",
  "The gateway's command-line tool printed something this console does not know: update the gateway or the console."
)
