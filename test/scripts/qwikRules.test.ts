import { assert, describe, it } from "@effect/vitest"
import { qwikProblems } from "../../scripts/qwikRules.ts"

const problems = (source: string) => qwikProblems("example.tsx", source)

describe("qwikProblems", () => {
  it("refuses what freezes the page", async () => {
    assert.lengthOf(await problems("useTask$(async () => { await 1 })"), 1)
    assert.lengthOf(await problems("const r = useResource$(() => 1)"), 1)
    assert.lengthOf(await problems("useTask$(() => {}); useVisibleTask$(async () => { await 1 })"), 0)
  })

  it("refuses list elements without a key, also behind conditions and returns", async () => {
    assert.lengthOf(await problems("const a = <ul>{rows.map((r) => <li>{r}</li>)}</ul>"), 1)
    assert.lengthOf(await problems("const a = <ul>{rows.map((r) => r.on ? <li key={r.id} /> : <li />)}</ul>"), 1)
    assert.lengthOf(await problems("const a = <ul>{rows.map((r) => { return <li /> })}</ul>"), 1)
    assert.lengthOf(await problems("const a = <ul>{rows.map((r) => <li key={r.id}>{r.name}</li>)}</ul>"), 0)
  })

  it("refuses changing text beside other children", async () => {
    assert.lengthOf(await problems("const a = <p>{name}<b>!</b></p>"), 1)
    assert.lengthOf(await problems("const a = <p>Hello {name}</p>"), 1)
    assert.lengthOf(await problems("const a = <p>{on ? 'yes' : null}<b /></p>"), 1)
  })

  it("allows text alone in its element, and elements that come and go", async () => {
    assert.lengthOf(await problems("const a = <p>{name}</p>"), 0)
    assert.lengthOf(await problems("const a = <p><span>{name}</span>{on && <b />}{off ? <i /> : null}</p>"), 0)
    assert.lengthOf(await problems("const a: string = <p>{rows.map((r) => <b key={r}>{r}</b>)}<i /></p>"), 0)
  })

  it("refuses a member of a plain object in a variable that the optimizer inlines", async () => {
    const component = (body: string) =>
      problems(`import { component$ } from "@builder.io/qwik"
        export const Part = component$((props: { readonly n: number }) => { ${body} })`)
    assert.lengthOf(await component("const row = rowOf(props.n); const { on } = row; return <Row on={on} />"), 1)
    assert.lengthOf(await component("const row = rowOf(props.n); const on = isOn(row); return <Row on={on} />"), 0)
  })

  it("refuses members of plain objects as properties of components, which would never update", async () => {
    assert.lengthOf(await problems("const a = <Row text={part.text} />"), 1)
    assert.lengthOf(
      await problems("const a = <Row text={props.part.text} on={state.value.on} row={row} n={f(x.y)} />"),
      0
    )
    assert.lengthOf(await problems("const a = <div title={part.text} />"), 0)
  })
})
