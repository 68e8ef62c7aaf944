import type { Page } from 'playwright-core'

export interface Wire {
  /** Bodies of the console's files by their paths, in bytes as they came over the wire. */
  readonly files: ReadonlyMap<string, number>
  /** All of them together. */
  readonly sum: () => number
  /** What the API answered, in bytes. */
  readonly api: () => number
}

/** Counts what a page fetches from now on. */
export function countWire(page: Page): Wire {
  const files = new Map<string, number>()
  let api = 0
  page.on('requestfinished', async (request) => {
    const { pathname } = new URL(request.url())
    const { responseBodySize } = await request.sizes()
    if (pathname.startsWith('/new')) files.set(pathname, responseBodySize)
    else api += responseBodySize
  })
  return { files, sum: () => [...files.values()].reduce((all, size) => all + size, 0), api: () => api }
}

export const kb = (size: number): string => `${(size / 1024).toFixed(0)} KB`
