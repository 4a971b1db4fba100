import { GatewayError } from "./GatewayError.ts"

const failure = (reason: GatewayError["reason"], message: string) => new GatewayError({ reason, message })

/** The tool couldn't be started. */
export const cliMissing = failure(
  "not_found",
  "Couldn't find the gateway's command-line tool: install it on this machine, or set GATEWAY_CLI to its path."
)

/** The tool was stopped at its time limit. */
export const cliTimedOut = failure(
  "timeout",
  "The gateway's command-line tool took too long and was stopped: try again, or run it by hand to see why."
)

/** The tool failed. */
export const cliFailed = failure(
  "failed",
  "The gateway's command-line tool failed: run `openclaw status` on the console's machine to see why."
)

/** The tool's output isn't what was expected. */
export const cliWrongShape = failure(
  "shape",
  "Couldn't read the output of the gateway's command-line tool: update the gateway or the console."
)
