/** What no page shows to people: values that aren't there, and names that only the API has. */
export const RAW_WORDS = /\b(undefined|NaN|Invalid Date|Infinity)\b|\[object |\b(vendor|agent)[_-][ab](?![a-z])/i
