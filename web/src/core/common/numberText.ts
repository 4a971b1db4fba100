import { pageLanguage, pageLocale, say } from "../language/say.ts"

/** A whole number with its thousands set apart, such as "12,345". */
export const wholeNumber = (value: number, locale: string = pageLocale): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value)

/** A share from 0 to 1 in whole per cent, such as "45%". */
export const percentText = (share: number, locale: string = pageLocale): string =>
  new Intl.NumberFormat(locale, { style: "percent" }).format(share)

/** Dollars as the page's language writes them; less than a cent is said to be that, and never rounded to nothing. */
export const money = (dollars: number, locale: string = pageLocale, hasCents = true): string => {
  const format = new Intl.NumberFormat(locale, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    ...(hasCents ? {} : { maximumFractionDigits: 0 })
  })
  // Letters beside the sign, as Arabic has them, would stand in the wrong order in a text from right to left.
  const written = (amount: number) =>
    format
      .formatToParts(amount)
      .map(({ type, value }) => (type === "currency" ? "$" : value))
      .join("")
  return dollars > 0 && dollars < 0.01 ? `<${written(0.01)}` : written(dollars)
}

/** English says thousands and millions in several ways; the page has one. */
const ENGLISH: Readonly<Record<string, string>> = { K: "k", m: "M", bn: "B" }

/** A large number in short, such as "12.5k" or "1.2M", in the words of other languages where they have some. */
export const shortNumber = (value: number, options: Intl.NumberFormatOptions, locale: string = pageLocale): string => {
  const format = new Intl.NumberFormat(locale, { ...options, notation: "compact" })
  const isEnglish = format.resolvedOptions().locale.startsWith("en")
  return format
    .formatToParts(value)
    .map((part) => (isEnglish && part.type === "compact" ? (ENGLISH[part.value] ?? part.value) : part.value))
    .join("")
}

const UNITS = [
  (size: string) => say("{size} B", { size }),
  (size: string) => say("{size} KB", { size }),
  (size: string) => say("{size} MB", { size }),
  (size: string) => say("{size} GB", { size })
]

/** A number of bytes for people, such as "3.4 KB". */
export const byteText = (bytes: number): string => {
  const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), UNITS.length - 1)
  const value = bytes / 1024 ** step
  const digits = step === 0 || value >= 100 ? 0 : 1
  const format = new Intl.NumberFormat(pageLocale, {
    useGrouping: false,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits
  })
  const text = UNITS[step]?.(format.format(value)) ?? ""
  // In Arabic the unit stays behind its number, whatever is around it.
  return pageLanguage === "ar" ? `\u2068${text}\u2069` : text
}
