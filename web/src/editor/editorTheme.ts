import { HighlightStyle, syntaxHighlighting } from "@codemirror/language"
import { EditorView } from "@codemirror/view"
import { tags } from "@lezer/highlight"

/** Syntax colours as tokens from `editor.css`, so that changing the theme needs no new editor. */
const colours = HighlightStyle.define([
  { tag: [tags.comment, tags.meta, tags.quote], color: "var(--code-comment)" },
  {
    tag: [tags.keyword, tags.bool, tags.null, tags.operatorKeyword, tags.controlKeyword],
    color: "var(--code-keyword)"
  },
  { tag: [tags.string, tags.regexp, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.atom, tags.escape, tags.color], color: "var(--code-number)" },
  {
    tag: [tags.typeName, tags.className, tags.tagName, tags.propertyName, tags.attributeName],
    color: "var(--code-type)"
  },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: "var(--code-title)" },
  { tag: [tags.link, tags.url], color: "var(--code-title)" },
  { tag: tags.heading, color: "var(--ink)", fontWeight: "700" },
  { tag: [tags.contentSeparator, tags.processingInstruction], color: "var(--code-keyword)" },
  { tag: tags.monospace, color: "var(--code-number)" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: tags.invalid, color: "var(--danger)" }
])

const frame = EditorView.theme({
  "&": {
    direction: "ltr",
    blockSize: "100%",
    color: "var(--ink)",
    backgroundColor: "var(--paper-raised)",
    fontSize: "var(--editor-size)"
  },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "var(--font-code)", lineHeight: "1.6", overscrollBehavior: "contain" },
  ".cm-content": { caretColor: "var(--accent)", paddingBlock: "12px" },
  ".cm-cursor, .cm-dropCursor": { borderInlineStartColor: "var(--accent)", borderInlineStartWidth: "2px" },
  ".cm-gutters": { color: "var(--ink-soft)", backgroundColor: "var(--paper-raised)", border: "none" },
  ".cm-lineNumbers .cm-gutterElement": { paddingInline: "12px 8px", minInlineSize: "2.5em" },
  ".cm-activeLine": { backgroundColor: "var(--editor-line)" },
  ".cm-activeLineGutter": { color: "var(--ink)", backgroundColor: "var(--editor-line)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "var(--editor-selection)"
  },
  ".cm-content ::selection": { backgroundColor: "var(--editor-selection)" },
  ".cm-matchingBracket, &.cm-focused .cm-matchingBracket": {
    backgroundColor: "var(--accent-soft)",
    outline: "1px solid var(--accent-line)"
  },
  ".cm-searchMatch": { backgroundColor: "var(--warning-soft)", outline: "1px solid var(--warning-line)" },
  ".cm-searchMatch-selected": { backgroundColor: "var(--accent-soft)", outline: "1px solid var(--accent)" },
  ".cm-specialChar": { color: "var(--danger)" },
  ".cm-panels": { color: "var(--ink)", backgroundColor: "var(--paper-sunk)", borderColor: "var(--line)" },
  ".cm-panel.cm-search": { padding: "8px 40px 8px 12px" }
})

/** The column that the same text has in its preview, so that nothing moves from one to the other. */
export const proseTheme = EditorView.theme({
  ".cm-content": { padding: "16px var(--prose-inset) 32px" },
  ".cm-line": { paddingInline: "0" }
})

/** The frame and colours of every editor; both follow the page's tokens. */
export const editorTheme = [frame, syntaxHighlighting(colours)]
