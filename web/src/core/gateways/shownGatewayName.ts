import { DEFAULT_GATEWAY_NAME } from "../../../../src/contract/gatewayNames.ts"
import { say } from "../language/say.ts"

/** A gateway's name as people see it; the one that nobody has chosen is in the page's language. */
export const shownGatewayName = (name: string): string => (name === DEFAULT_GATEWAY_NAME ? say("Main gateway") : name)
