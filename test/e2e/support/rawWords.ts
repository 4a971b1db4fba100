/** Texts that no page may show: missing values, and names of the API. */
export const RAW_WORDS = /\b(undefined|NaN|Invalid Date|Infinity)\b|\[object |\b(vendor|agent)[_-][ab](?![a-z])/i
