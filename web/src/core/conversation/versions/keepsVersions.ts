import type { GatewayLink } from "../../link/linkTypes.ts"

/** What reading versions and switching between them takes. */
const METHODS = ["sessions.branches.list", "sessions.branches.switch"]

/** Whether the gateway keeps what asking a question again removes, as a version of the conversation to switch back to. */
export const keepsVersions = ({ hello }: Pick<GatewayLink, "hello">): boolean =>
  METHODS.every((name) => hello.get()?.methods.has(name) === true)
