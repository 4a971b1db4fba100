import { say } from "../language/say.ts"
import type { ChatItem } from "./chatTypes.ts"

const fence = (text: string, language = ""): string => {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((ticks) => ticks.length))
  const mark = "`".repeat(longest + 1)
  return `${mark}${language}\n${text}\n${mark}`
}

const when = (at: number | null): string =>
  at === null ? "" : ` · ${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`

const named = (kind: string, name: string): string => `*${kind}: ${name}*`

const part = (item: ChatItem): string => {
  switch (item.kind) {
    case "user": {
      const images = item.images.map(({ name }) => named(say("Picture"), name))
      return [`## ${say("You")}${when(item.at)}`, item.text, ...images].filter((text) => text !== "").join("\n\n")
    }
    case "assistant": {
      const files = (item.media ?? []).map(({ kind, name }) =>
        named(kind === undefined ? say("Picture") : say("File"), name)
      )
      return [`## ${say("Agent")}${when(item.at)}`, item.text, ...files].filter((text) => text !== "").join("\n\n")
    }
    case "note":
      return `> *${item.from}:* ${item.text.replaceAll("\n", "\n> ")}`
    case "thinking":
      return `> *${say("Thinking")}:* ${item.text.replaceAll("\n", "\n> ")}`
    case "tool": {
      const args =
        item.args === null || item.args === undefined ? "" : fence(JSON.stringify(item.args, null, 2), "json")
      const output = item.output === "" ? "" : fence(item.output)
      return [`**${say("Tool")} \`${item.name}\`** (${item.status})`, args, output]
        .filter((text) => text !== "")
        .join("\n\n")
    }
    case "error":
      return `**${say("Error")}:** ${item.message}`
    case "aborted":
      return `*${say("Stopped")}*`
  }
}

/** A conversation as a markdown document, with markers as the agent wrote them. */
export const exportMarkdown = (title: string, items: ReadonlyArray<ChatItem>): string =>
  `${[`# ${title.replaceAll("\n", " ")}`, ...items.map(part)].join("\n\n")}\n`

/** A file name made from a title: letters, digits, and hyphens between them. */
export const fileNameOf = (title: string): string => {
  const name = title
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]+/gu, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 60)
  return `${name === "" ? "conversation" : name}.md`
}
