import "@builder.io/qwik/qwikloader.js"
import { component$, render, type Signal, Slot, useSignal, useVisibleTask$ } from "@builder.io/qwik"
import { makeTrees, randomFrom, type TreeNode, treeHtml } from "./fuzzTree.ts"

/** Frames a change may take until it is drawn. */
const MAX_FRAMES = 12

const Slotted = component$<{ readonly text: string }>((props) => (
  <article>
    <i>{props.text}</i>
    <Slot />
  </article>
))

const Inner = component$<{ readonly node: TreeNode }>((props) => (
  <>
    {props.node.text !== "" && <b>{props.node.text}</b>}
    {props.node.children.map((child) => (
      <Branch key={child.key} node={child} />
    ))}
  </>
))

const Section = component$<{ readonly node: TreeNode }>((props) => (
  <section>
    {props.node.text !== "" && <b>{props.node.text}</b>}
    {props.node.children.map((child) => (
      <Branch key={child.key} node={child} />
    ))}
  </section>
))

const Branch = component$<{ readonly node: TreeNode }>((props) => {
  const { node } = props
  if (node.kind === "nothing") return null
  if (node.kind === "component") return <Section node={node} />
  if (node.kind === "fragment") return <Inner node={node} />
  if (node.kind === "slotted")
    return (
      <Slotted text={props.node.text}>
        <Inner node={node} />
      </Slotted>
    )
  return (
    <div>
      <Inner node={node} />
    </div>
  )
})

const holder: { tree: Signal<TreeNode> | null } = { tree: null }

const Root = component$<{ readonly first: TreeNode }>((props) => {
  const tree = useSignal(props.first)
  useVisibleTask$(
    () => {
      holder.tree = tree
    },
    { strategy: "document-ready" }
  )
  const node = tree.value
  return (
    <main>
      <Branch node={node} />
    </main>
  )
})

const show = (tree: TreeNode) => {
  if (holder.tree !== null) holder.tree.value = tree
}

/** The drawn tree, without what the framework leaves for itself. */
const drawn = (): string =>
  (document.querySelector("main")?.innerHTML ?? "").replace(
    /<!--[\s\S]*?-->|<\/?q:[^>]*>|\s(q:|on:|data-q)[^=\s>]*(="[^"]*")?/g,
    ""
  )

const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))

const drawnWithin = async (wanted: string): Promise<boolean> => {
  for (let left = MAX_FRAMES; left > 0; left--) {
    if (drawn() === wanted) return true
    await frame()
  }
  return drawn() === wanted
}

/** Changes a random tree step by step; answers with what was drawn wrongly, or null. */
const fuzz = async (seed: number, steps: number): Promise<string | null> => {
  const trees = makeTrees(randomFrom(seed))
  let tree = trees.first()
  const root = document.getElementById("app")
  if (root === null) return "no place to draw"
  root.replaceChildren()
  holder.tree = null
  await render(root, <Root first={tree} />)
  for (let step = 0; step <= steps; step++) {
    const wanted = treeHtml(tree)
    if (!(await drawnWithin(wanted))) return `seed ${seed}, step ${step}\nwanted ${wanted}\ndrawn  ${drawn()}`
    tree = trees.next(tree)
    show(tree)
  }
  return null
}

Object.assign(window, { fuzz })
