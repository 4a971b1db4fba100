import { say } from "../../core/language/say.ts"
import { copyText } from "../copyText.ts"
import { previewRequest } from "../preview/previewRequest.ts"
import { saveFile } from "../saveFile.ts"

const EXTENSIONS: Readonly<Record<string, string>> = {
  bash: "sh",
  shell: "sh",
  javascript: "js",
  typescript: "ts",
  python: "py",
  markdown: "md",
  rust: "rs",
  ruby: "rb",
  csharp: "cs",
  text: "txt",
  "": "txt"
}

/** The file name for saving a code block, by its language. */
const codeFileName = (language: string): string => {
  const name = language.trim().toLowerCase()
  return `code.${EXTENSIONS[name] ?? (/^[a-z0-9]{1,10}$/.test(name) ? name : "txt")}`
}

const copy = async (button: Element, code: string): Promise<void> => {
  const done = await copyText(code)
  button.textContent = done ? say("Copied") : say("Couldn't copy")
  setTimeout(() => {
    button.textContent = say("Copy")
  }, 2000)
}

/** Does what a button of a code block says. */
export const codeAction = async (button: Element): Promise<void> => {
  const block = button.closest(".code-block")
  const code = block?.querySelector("code")?.textContent
  if (block === null || code == null) return
  const language = block.querySelector(".code-language")?.textContent ?? ""
  switch (button.getAttribute("data-copy")) {
    case "code":
      return copy(button, code)
    case "save":
      return saveFile(codeFileName(language), code)
    case "preview":
      return previewRequest.set({ code, kind: /^x?html?$/i.test(language) ? "html" : "svg" })
    case "wrap":
      button.setAttribute("aria-pressed", String(block.classList.toggle("is-wrapped")))
  }
}
