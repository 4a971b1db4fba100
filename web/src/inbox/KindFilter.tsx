import { component$, useSignal } from "@builder.io/qwik"
import type { InboxItem, InboxKind } from "../core/inbox/inboxTypes.ts"
import { KIND_NAMES, KINDS } from "../core/inbox/kindText.ts"
import { say } from "../core/language/say.ts"
import { useShownTab } from "../ui/useShownTab.ts"
import { listPath } from "./inboxPath.ts"

interface KindFilterProps {
  readonly kind: InboxKind | null
  readonly isDecided: boolean
  /** What is counted; null shows no numbers. */
  readonly items: ReadonlyArray<InboxItem> | null
}

/** Shows one kind of items only. */
export const KindFilter = component$<KindFilterProps>((props) => {
  const { kind, isDecided, items } = props
  const bar = useSignal<HTMLElement>()
  useShownTab(bar, () => props.kind)
  const choices = KINDS.map((one) => ({
    kind: one,
    label: KIND_NAMES[one],
    count: items?.filter((item) => item.kind === one).length ?? 0
  }))
  const shown = choices.filter((one) => items === null || one.count > 0 || one.kind === kind)
  return (
    <nav ref={bar} class="flex wrap gap-2 fading-end inbox-kinds" aria-label={say("Kinds")}>
      <a class="pill" href={listPath({ isDecided, kind: null })} aria-current={kind === null ? "true" : undefined}>
        <span>{say("All")}</span>
      </a>
      {shown.map((one) => (
        <a
          key={one.kind}
          class="pill"
          href={listPath({ isDecided, kind: one.kind })}
          aria-current={one.kind === kind ? "true" : undefined}
        >
          <span>{one.label}</span>
          {items !== null && <span>{one.count}</span>}
        </a>
      ))}
    </nav>
  )
})
