/** `{ key: value }`, or an empty object if there's no value. */
export function optionalEntry<K extends string, V>(key: K, value: V | null | undefined): { readonly [P in K]?: V }
export function optionalEntry(key: string, value: unknown): object {
  return value === null || value === undefined ? {} : { [key]: value }
}
