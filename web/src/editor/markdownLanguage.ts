import { markdown, markdownLanguage } from "@codemirror/lang-markdown"

/** Markdown as agents write it, with tables and task lists; fenced code stays plain. */
export const markdownSupport = markdown({ base: markdownLanguage, completeHTMLTags: false })
