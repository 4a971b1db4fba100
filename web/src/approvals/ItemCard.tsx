import { component$ } from "@builder.io/qwik"
import { DecisionCard } from "./DecisionCard.tsx"
import type { ItemCardProps } from "./itemCardProps.ts"
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
