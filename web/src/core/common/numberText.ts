/** A whole number with its thousands set apart, such as "12,345". */
export const wholeNumber = (value: number, locale?: string): string =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }).format(value)
