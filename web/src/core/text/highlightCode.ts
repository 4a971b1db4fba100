import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import css from "highlight.js/lib/languages/css"
import diff from "highlight.js/lib/languages/diff"
import go from "highlight.js/lib/languages/go"
import java from "highlight.js/lib/languages/java"
import javascript from "highlight.js/lib/languages/javascript"
import json from "highlight.js/lib/languages/json"
import python from "highlight.js/lib/languages/python"
import rust from "highlight.js/lib/languages/rust"
import sql from "highlight.js/lib/languages/sql"
import typescript from "highlight.js/lib/languages/typescript"
import xml from "highlight.js/lib/languages/xml"
import yaml from "highlight.js/lib/languages/yaml"
import { escapeHtml } from "./safeHtml.ts"

/** Longer code is shown plain: colours aren't worth a pause. */
const MAX_LENGTH = 50_000

const languages = { bash, css, diff, go, java, javascript, json, python, rust, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)
hljs.registerAliases(["shell", "console"], { languageName: "bash" })

/** HTML of highlighted code; plain, escaped code for unknown languages. */
export function highlightCode(code: string, language: string): string {
  if (code.length > MAX_LENGTH || hljs.getLanguage(language) === undefined) return escapeHtml(code)
  return hljs.highlight(code, { language, ignoreIllegals: true }).value
}
