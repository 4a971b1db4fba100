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
export const codeFileName = (language: string): string => {
  const name = language.trim().toLowerCase()
  return `code.${EXTENSIONS[name] ?? (/^[a-z0-9]{1,10}$/.test(name) ? name : "txt")}`
}
