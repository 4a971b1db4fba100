import { component$, useSignal } from "@builder.io/qwik"
import { useShownTab } from "./useShownTab.ts"
import "./tabs.css"

/** One page with its own address. */
interface TabLink {
  readonly href: string
  readonly label: string
  /** A number next to the label, such as open proposals; hidden at zero. */
  readonly count?: number
}

interface TabsProps {
  /** What the pages have in common, for screen readers. */
  readonly label: string
  readonly tabs: ReadonlyArray<TabLink>
  /** The `href` of the current page. */
  readonly current: string
}

/** A screen's pages as a row of links: each can be bookmarked, opened in a new tab, and left with the back button. */
export const Tabs = component$<TabsProps>((props) => {
  const bar = useSignal<HTMLElement>()
  useShownTab(bar, () => props.current)
  return (
    <nav ref={bar} class="tabs fading-row" aria-label={props.label}>
      {props.tabs.map((tab) => (
        <a key={tab.href} class="tab" href={tab.href} aria-current={tab.href === props.current ? "page" : undefined}>
          <span>{tab.label}</span>
          {tab.count !== undefined && tab.count > 0 && <span class="count">{tab.count}</span>}
        </a>
      ))}
    </nav>
  )
})
