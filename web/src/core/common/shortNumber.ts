/** English says thousands and millions in several ways; the page has one. */
const ENGLISH: Readonly<Record<string, string>> = { K: "k", m: "M", bn: "B" }

/** A large number in short, such as "12.5k" or "1.2M", in the words of other languages where they have some. */
export const shortNumber = (value: number, options: Intl.NumberFormatOptions, locale?: string): string => {
  const format = new Intl.NumberFormat(locale, { ...options, notation: "compact" })
  const isEnglish = format.resolvedOptions().locale.startsWith("en")
  return format
    .formatToParts(value)
    .map((part) => (isEnglish && part.type === "compact" ? (ENGLISH[part.value] ?? part.value) : part.value))
    .join("")
}
