import { assert, describe, it } from "@effect/vitest"
import { bareClasses, definedProperties, doubledClasses, styleProblems } from "../../scripts/styleRules.ts"

const KNOWN = new Set(["--fast", "--control", "--line", "--edge", "--beat"])
const problemsOf = (css: string, file = "web/src/board/board.css") => styleProblems(file, css, KNOWN)

describe("each rule of the styles catches its sample", () => {
  it.each([
    ["a transition's own duration", ".a { transition: color 120ms ease-out; }", "a duration of its own"],
    ["one in a list", ".a { transition:\n color var(--fast),\n opacity 0.2s; }", "a duration of its own"],
    ["an animation's own duration", ".a { animation: spin 1s linear infinite; }", "a duration of its own"],
    ["a control's own height", ".a { min-block-size: 32px; }", "min-block-size: 32px"],
    ["a control's own physical height", ".a { height: 44px; }", "height: 44px"],
    ["an edge nobody sees", ".a { border: 1px solid var(--line); }", "an edge"],
    ["a property without a value", ".a { color: var(--inc); }", "--inc has no value"],
    ["a physical margin", ".a { margin-left: 4px; }", "a left or right"],
    ["a physical place", ".a { right: 0; }", "a left or right"]
  ])("%s", (_, css, says) => {
    assert.include(problemsOf(css).join("\n"), says)
  })

  it("and lets what follows them pass", () => {
    const css = `
      /* 300ms and 44px are only talked about. */
      .a { min-block-size: var(--control); transition: color var(--fast); animation-delay: calc(2 * var(--beat)); }
      .b { block-size: 1px; inline-size: 44px; border: 1px solid var(--edge); inset-inline-start: 0; }
    `
    assert.deepStrictEqual(problemsOf(css), [])
    assert.deepStrictEqual(problemsOf(":root { --fast: 120ms; height: 44px }", "web/src/styles/tokens.css"), [])
  })

  it("a property has its value from a stylesheet or a script", () => {
    assert.deepStrictEqual(definedProperties(':root { --a: 1px; } el.style.setProperty("--b-c", x); var(--d)'), [
      "--a",
      "--b-c"
    ])
  })
})

describe("a class has its look from one stylesheet", () => {
  it("counts only what is a whole selector, at any width of the page", () => {
    const css = `
      @layer parts {
        /* .remark { color: red } */
        .a, .b:hover, .c > .d, .e:is(.f, .g:not(.h), .i), .j { color: var(--ink); }
        @media (max-width: 760px) { .k { gap: 0; } }
        .l { & .m { gap: 0; } .n { gap: 0; } }
      }`
    assert.deepStrictEqual([...bareClasses(css)], [".a", ".j", ".k", ".l"])
  })

  it("names a class of two stylesheets, and both of them", () => {
    const sheets = new Map([
      ["chat.css", ".log { overflow: auto; } .log-new { gap: 0; }"],
      ["knowledge.css", "@layer parts { .agent-log, .log { display: flex; } .log-new > .icon { gap: 0; } }"]
    ])
    assert.deepStrictEqual(doubledClasses(sheets), [
      ".log has a look in chat.css and knowledge.css: the one that is loaded last wins"
    ])
  })
})
