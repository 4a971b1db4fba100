/** JSON calls of a console's API; the address is read at each call. */
export const jsonCalls =
  (console: { readonly url: string }) =>
  async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const response = await fetch(`${console.url}${path}`, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    return response.json()
  }
