import type { Query, QueryClient } from '@tanstack/react-query'

/** What the shell reads itself; no page's trouble makes it read that again. */
const SHELLS_OWN = new Set(['staff', 'preferences', 'spelling'])

/**
 * Which page has read what. A page that is made anew reads its own again, and leaves alone what the other kept pages
 * have read: they show it when they come back to the front.
 */
export class PageQueries {
  private readonly readers = new Map<string, Set<string>>()
  private readonly client: QueryClient
  private front = ''

  constructor(client: QueryClient) {
    this.client = client
  }

  /** Listens to who reads. @returns ends it */
  watch(): () => void {
    return this.client.getQueryCache().subscribe((event) => {
      if (event.type === 'observerAdded') this.of(this.front).add(event.query.queryHash)
    })
  }

  /** A page comes to the front: whatever is read from now on is read for it. */
  enter(path: string): void {
    this.front = path
  }

  /** What a page has read is old: its next visitor reads it again. */
  invalidate(path: string): void {
    void this.client.invalidateQueries({ refetchType: 'none', predicate: (query) => this.isOf(path, query) })
  }

  /** A page has failed with what it had read: nothing of that is to be met again, except what others show too. */
  drop(path: string): void {
    const others = [...this.readers].filter(([reader]) => reader !== path)
    this.invalidate(path)
    this.client.removeQueries({ predicate: (query) => this.isOf(path, query) && query.getObserversCount() === 0 && !others.some(([, read]) => read.has(query.queryHash)) })
  }

  /** Pages that are not kept any more have read nothing. */
  keep(paths: readonly string[]): void {
    for (const path of this.readers.keys()) if (!paths.includes(path) && path !== this.front) this.readers.delete(path)
  }

  private of(path: string): Set<string> {
    let read = this.readers.get(path)
    if (!read) this.readers.set(path, read = new Set())
    return read
  }

  private isOf(path: string, query: Query): boolean {
    return this.readers.get(path)?.has(query.queryHash) === true && !SHELLS_OWN.has(String(query.queryKey[0]))
  }
}
