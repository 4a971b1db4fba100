import { assert, describe, it } from "@effect/vitest"
import { textsIn } from "../../scripts/textsIn.ts"

const read = (source: string, known?: ReadonlySet<string>) => textsIn("web/src/Some.tsx", source, known)

describe("texts of the page's sources", () => {
  it("are found where they go through the catalogue, by their keys", async () => {
    const { texts, outside } = await read(`
      const a = say("Send back")
      const b = say("{name} was removed.", { name: other("x") })
      const c = sayCount(cards.length, "{count} card", "{count} cards")
      export const D = () => <p title={say("Why")}><Said text="Type {command}." parts={{ command: <code>{x}</code> }} /></p>
    `)
    assert.deepStrictEqual(texts, [
      "Send back",
      "{name} was removed.",
      "{count} card|{count} cards",
      "Why",
      "Type {command}."
    ])
    assert.deepStrictEqual(outside, [])
  })

  it("are found outside of it between tags, in attributes, properties, sentences and templates", async () => {
    const { outside } = await read(`
      const problem = "Couldn't save the card."
      const told = { title: "Cards", kind: "cards" }
      const many = \`\${count} cards are waiting.\`
      const short = [\`\${name} finished.\`, \`\${size} tokens\`, \`crons.run \${id}\`]
      const part = mayBe ? "Denied" : "can't be shown here"
      const command = { keywords: "board cards columns" }
      export const A = () => (
        <button aria-label="Close" confirmLabel="Delete" class="soft small strong" onClick$={() => show("error", "Nothing was saved. Try again.")}>
          Save{busy ? "ing" : null}
        </button>
      )
    `)
    assert.deepStrictEqual(outside, [
      "Couldn't save the card.",
      "Cards",
      "{} cards are waiting.",
      "{} finished.",
      "{} tokens",
      "Denied",
      "can't be shown here",
      "Close",
      "Delete",
      "Nothing was saved. Try again.",
      "Save",
      "ing"
    ])
  })

  it("are found in lists of words that are said one by one", async () => {
    const { outside } = await read(`
      const UNITS: ReadonlyArray<Unit> = ["minutes", "hours"]
      export const LEVELS = ["off", "low"] as const
      const KINDS = ["card", "memory"]
      const a = UNITS.map((unit) => ({ value: unit, label: unit }))
      const b = ["small", "large"].map((size) => ({ value: size, label: size }))
      export const C = () => <ul>{LEVELS.map((level) => <li key={level}><b>{level}</b></li>)}</ul>
      export const D = () => KINDS.map((kind) => <i key={kind} class={kind} data-kind={kind}>{wordFor(kind)}</i>)
      const e = KINDS.map((kind) => ({ value: kind, label: wordFor(kind) }))
      const f = names.map((name) => ({ value: name, label: name }))
    `)
    assert.deepStrictEqual(outside.toSorted(), ["hours", "large", "low", "minutes", "off", "small"])
  })

  it("are found in what is called back, and in the last word of a choice", async () => {
    const { outside } = await read(`
      window.addEventListener("qheal", () => show("error", "Something went wrong."))
      throw new Error(known[name] ?? "Couldn't use the microphone.")
    `)
    assert.deepStrictEqual(outside, ["Something went wrong.", "Couldn't use the microphone."])
  })

  it("are literals in the calls", async () => {
    assert.deepStrictEqual((await read("say(text); sayCount(2, 'a ' + card, 'cards')")).outside, [
      "say(…) without a literal",
      "sayCount(…) without a literal"
    ])
  })

  it("aren't names, addresses, selectors, errors of the program or what is known not to be for people", async () => {
    const { outside } = await read(
      `
      import { a } from "./Some thing.ts"
      const kind = state === "in-progress" ? "is-open" : "is-closed"
      const all = document.querySelector("Button thing .x")
      const header = "Send in English."
      speaker.say(header)
      throw new Error("This can't happen here.")
      `,
      new Set(["Send in English."])
    )
    assert.deepStrictEqual(outside, [])
  })
})
