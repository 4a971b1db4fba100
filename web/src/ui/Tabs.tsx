import { component$ } from "@builder.io/qwik"
import "./tabs.css"

/** One place to go to, with an address of its own. */
export interface TabLink {
  readonly href: string
  readonly label: string
  /** A number beside the label, such as open proposals; left out at zero. */
  readonly count?: number
}

interface TabsProps {
  /** What the places have in common, for screen readers. */
  readonly label: string
  readonly tabs: ReadonlyArray<TabLink>
  /** The `href` of the place shown now. */
  readonly current: string
}

/** The places of a screen as a row of links: each can be bookmarked, opened beside, and gone back from. */
export const Tabs = component$<TabsProps>((props) => (
  <nav class="tabs" aria-label={props.label}>
    {props.tabs.map((tab) => (
      <a key={tab.href} class="tab" href={tab.href} aria-current={tab.href === props.current ? "page" : undefined}>
        <span>{tab.label}</span>
        {tab.count !== undefined && tab.count > 0 && <span class="tab-count">{tab.count}</span>}
      </a>
    ))}
  </nav>
))
