import type { Command } from "../../core/commands/CommandRegistry.ts"
import { say } from "../../core/language/say.ts"

const BUTTONS = 'button:not(:disabled, [aria-pressed="true"]), summary'
/** What a button belongs to when others have the same name. */
const OWNERS = "[data-entry], [aria-label]:is(article, section, li, figure), li, article, fieldset"
/** A screen with more than these is narrowed down by its own search. */
const MAX = 200

const textOf = (node: Node): string => {
  if (node instanceof Element) {
    if (node.getAttribute("aria-hidden") === "true") return ""
    const label = node.getAttribute("aria-label")
    if (label !== null) return label
    return [...node.childNodes].map(textOf).join(" ")
  }
  return node.textContent ?? ""
}

const nameOf = (element: Element): string => textOf(element).replace(/\s+/g, " ").trim()

const ownerName = (button: Element): string => {
  const owner = button.parentElement?.closest(OWNERS)
  if (owner == null) return ""
  const label = owner.getAttribute("aria-label")
  const head = label ?? owner.querySelector(":is(h2, h3, h4, legend, figcaption, a)")
  return head === null ? "" : typeof head === "string" ? head : nameOf(head)
}

/** Names that others share, with what they belong to. */
const labelled = (buttons: ReadonlyArray<HTMLElement>) => {
  const names = Map.groupBy(buttons, nameOf)
  return buttons.flatMap((element) => {
    const name = nameOf(element)
    if (name === "") return []
    const owner = (names.get(name)?.length ?? 0) > 1 || element.closest("fieldset") !== null ? ownerName(element) : ""
    return [{ element, label: owner === "" || name.includes(owner) ? name : `${owner}: ${name}` }]
  })
}

/** Everything that can be pressed on the screen now: what a screen's commands don't name is found by its own words. */
export const screenActions = (screen: ParentNode, known: ReadonlyArray<Command>): ReadonlyArray<Command> => {
  const taken = new Set(known.map(({ label }) => label))
  const buttons = [...screen.querySelectorAll<HTMLElement>(BUTTONS)].filter((one) => one.getClientRects().length > 0)
  return labelled(buttons)
    .filter(({ label }) => {
      const isNew = !taken.has(label)
      taken.add(label)
      return isNew
    })
    .slice(0, MAX)
    .map(({ element, label }, index) => ({
      id: `screen ${index}`,
      label,
      group: say("On this screen"),
      run: () => {
        element.focus()
        element.click()
      }
    }))
}
