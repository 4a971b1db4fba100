/** What a clipboard holds, each as far as it has it. */
export interface Pasted<F extends { readonly name: string; readonly type: string }> {
  readonly files: ReadonlyArray<F>
  readonly text: string
  readonly html: string
}

/** Characters of a page in the clipboard that are looked at for words. */
const LOOKED_AT = 100_000

/** Elements whose text nobody sees. */
const UNSEEN = new Set(["style", "script", "title", "xml"])
const SEEN = /[^\s\u200B\uFEFF]/u

/** Whether a person would see words in a page, besides its pictures. */
const hasWords = (html: string): boolean => {
  let unseen: string | null = null
  return html
    .slice(0, LOOKED_AT)
    .split("<")
    .some((piece, index) => {
      const end = index === 0 ? -1 : piece.indexOf(">")
      const [, slash, tag = ""] = index === 0 ? [] : (/^(\/?)([a-z][\w:]*)/i.exec(piece) ?? [])
      const name = tag.toLowerCase()
      if (unseen === null ? slash === "" && UNSEEN.has(name) : !(slash === "/" && name === unseen)) {
        unseen ??= name
        return false
      }
      unseen = null
      return (index === 0 || end >= 0) && SEEN.test(piece.slice(end + 1).replace(/&(?:nbsp|#160);/gi, " "))
    })
}

/** An address, or a path on some system. */
const PLACE = /^(?:[a-z][a-z+.-]{2,}:|[a-z]:[\\/]|\\\\|~?\/)\S/i

/** Whether every line of a text only says where files are, as file managers and browsers do. */
const namesFiles = (text: string, names: ReadonlySet<string>): boolean =>
  text.split(/[\r\n]+/).every((line) => line.trim() === "" || PLACE.test(line.trim()) || names.has(line.trim()))

/**
 * The files that somebody pastes; none if it's the text that counts. Office programs put a picture of every copied text
 * beside it, file managers and browsers the place of every copied file or picture.
 */
export const pastedFiles = <F extends { readonly name: string; readonly type: string }>({
  files,
  html,
  text
}: Pasted<F>): ReadonlyArray<F> => {
  const isPictures = files.every(({ type }) => type.startsWith("image/"))
  if (!isPictures || text.trim() === "") return files
  const isText = html === "" ? !namesFiles(text, new Set(files.map(({ name }) => name))) : hasWords(html)
  return isText ? [] : files
}
