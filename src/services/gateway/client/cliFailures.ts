import type { Failure } from "../../../contract/failure.ts"
import { failure } from "../../../contract/failures.ts"
import { GatewayError } from "./GatewayError.ts"

const failed = (reason: GatewayError["reason"], why: Failure) => new GatewayError({ reason, ...why })

/** The tool couldn't be started. */
export const cliMissing = failed("not_found", failure("CLI_MISSING"))

/** The tool was stopped at its time limit. */
export const cliTimedOut = failed("timeout", failure("CLI_TIMED_OUT"))

/** The tool failed. */
export const cliFailed = failed("failed", failure("CLI_FAILED"))

/** The tool's output isn't what was expected. */
export const cliWrongShape = failed("shape", failure("CLI_OUTPUT_UNREADABLE"))
