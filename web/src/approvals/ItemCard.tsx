import { component$ } from "@builder.io/qwik"
import { useServices } from "../base/AppContext.ts"
import { useBrowserTask$ } from "../base/useBrowserTask.ts"
import { DecisionCard, type ItemCardProps } from "./DecisionCard.tsx"
import { QuestionCard } from "./QuestionCard.tsx"

/** Something that waits for a person, with the ways to decide it: the same in its conversation and in the inbox. */
export const ItemCard = component$<ItemCardProps>((props) => {
  const { item, isLinked = false, isHeld = false, onDecided$ } = props
  const more = onDecided$ === undefined ? {} : { onDecided$ }
  return item.kind === "question" ? (
    <QuestionCard item={item} isLinked={isLinked} isHeld={isHeld} {...more} />
  ) : (
    <DecisionCard item={item} isLinked={isLinked} isHeld={isHeld} {...more} />
  )
})

/** The interval of checks of the visible items. */
const LOOK_MS = 1_000

/** The items of which something can be seen. */
const itemsInView = (): ReadonlyArray<string> =>
  [...document.querySelectorAll<HTMLElement>("[data-inbox-item]")].flatMap((element) => {
    const { top, bottom, height } = element.getBoundingClientRect()
    const id = element.dataset.inboxItem
    return id !== undefined && height > 0 && bottom > 0 && top < window.innerHeight ? [id] : []
  })

/** Reports the visible items to the server while the component is mounted, so that no device rings for them. */
export const useSeen = (): void => {
  const app = useServices()
  useBrowserTask$(({ cleanup }) => {
    const look = async () => {
      if (document.visibilityState !== "visible") return
      const ids = itemsInView()
      if (ids.length > 0) (await app.client.inbox.load()).seen(ids)
    }
    const timer = setInterval(() => void look().catch(() => {}), LOOK_MS)
    cleanup(() => clearInterval(timer))
  })
}
