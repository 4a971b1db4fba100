/** The start of a long output, and how many characters are left out. */
export const shortened = (text: string, limit: number): { readonly text: string; readonly hidden: number } =>
  text.length <= limit ? { text, hidden: 0 } : { text: text.slice(0, limit), hidden: text.length - limit }
