import type { ChatState, UserItem } from "../conversation/chatTypes.ts"

const MAX_SHOWN = 3

/** What people told the agent of a run since it began: the newest messages but for the first, which is the card itself. */
export const toldMessages = ({ items }: Pick<ChatState, "items">, startedAt: number): ReadonlyArray<UserItem> => {
  const own = items.filter((item) => item.kind === "user")
  return own
    .slice(1)
    .filter(({ at }) => at === null || at >= startedAt)
    .slice(-MAX_SHOWN)
}
