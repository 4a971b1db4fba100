import { say } from "../language/say.ts"
import { isPlaced } from "./detailText.ts"
import type { InboxItem } from "./inboxTypes.ts"

/** From this version on, gateways keep the arguments and the folder of a command that is always allowed. */
const KEPT_WHOLE = [2026, 8, 1]

const isKeptWhole = (version: string): boolean => {
  const numbers = version.split(/[.-]/).map(Number)
  const at = KEPT_WHOLE.findIndex((number, index) => number !== numbers[index])
  return at === -1 || (numbers[at] ?? 0) > (KEPT_WHOLE[at] ?? 0)
}

/**
 * What a command that is always allowed covers from then on, to stand beside its button, by the version of its gateway; null for what is no
 * command, or while the version isn't known. Older gateways keep the path of a program (their documents on approvals).
 */
export const lastingText = (
  { actions, detail, kind }: Pick<InboxItem, "actions" | "detail" | "kind">,
  version: string
): string | null => {
  if (kind !== "approval" || !actions.some(({ id }) => id === "allow-always") || !isPlaced(detail ?? "")) return null
  if (version === "") return null
  return isKeptWhole(version)
    ? say("Covers this exact command in this folder, for this agent")
    : say("Can cover this program with any arguments, for this agent")
}
