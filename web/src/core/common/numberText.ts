import { pageLocale } from "../language/pageLocale.ts"
/** A whole number with its thousands set apart, such as "12,345". */
export const wholeNumber = (value: number, locale: string = pageLocale): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value)

/** A share from 0 to 1 in whole per cent, such as "45%". */
export const percentText = (share: number, locale: string = pageLocale): string =>
  new Intl.NumberFormat(locale, { style: "percent" }).format(share)
