import { QueryClient, type Query } from '@tanstack/react-query'

/** What the shell reads itself; no page's trouble makes it read that again. */
const SHELLS_OWN = new Set(['staff', 'preferences', 'spelling'])

/** How long a kept page stands as it was before what is old in it is read again, in milliseconds: longer than it takes to come in. */
const STANDS = 600

/**
 * Which page has read what. A page that is mounted again reads its own again, and leaves alone what the other kept pages
 * have read: they show it when they come back to the front.
 */
export class PageQueries {
  private readonly readers = new Map<string, Set<string>>()
  private readonly client: QueryClient
  private front = ''
  /** The page that stands as it was left, for a moment. */
  private standing: { readonly path: string; readonly timer: ReturnType<typeof setTimeout> } | undefined

  constructor(client: QueryClient) {
    this.client = client
  }

  /** Listens to who reads. @returns ends it */
  watch(): () => void {
    return this.client.getQueryCache().subscribe((event) => {
      const page = event.type === 'observerAdded' ? event.observer.options.meta?.['page'] : undefined
      if (typeof page === 'string') this.of(page).add(event.query.queryHash)
    })
  }

  /**
   * What a page reads with: the same data as everybody, and what is read by it is known to be the page's, whichever page is in
   * front by then. The code of a page may come after the person has gone on.
   */
  clientOf(path: string): QueryClient {
    const { queries, ...others } = this.client.getDefaultOptions()
    return new QueryClient({
      queryCache: this.client.getQueryCache(), mutationCache: this.client.getMutationCache(),
      defaultOptions: { ...others, queries: { ...queries, meta: { page: path }, refetchOnMount: () => this.standing?.path !== path } },
    })
  }

  /** A page comes to the front that has just been mounted. */
  enter(path: string): void {
    this.front = path
    clearTimeout(this.standing?.timer)
    this.standing = undefined
  }

  /** A kept page comes to the front: it is shown as it was left, and only then what is old in it is read again. */
  reveal(path: string): void {
    this.enter(path)
    const timer = setTimeout(() => {
      this.standing = undefined
      void this.client.refetchQueries({ type: 'active', stale: true, predicate: (query) => this.isOf(path, query) })
    }, STANDS)
    this.standing = { path, timer }
  }

  /** What a page has read is old: its next visitor reads it again. */
  invalidate(path: string): void {
    void this.client.invalidateQueries({ refetchType: 'none', predicate: (query) => this.isOf(path, query) })
  }

  /** A page has failed with what it had read: nothing of that is to be met again, except what others show too. */
  drop(path: string): void {
    this.invalidate(path)
    this.remove(path)
  }

  /** Pages that are not kept any more have read nothing, and nobody needs to remember it. */
  keep(paths: readonly string[]): void {
    for (const path of this.readers.keys()) {
      if (paths.includes(path) || path === this.front) continue
      this.remove(path)
      this.readers.delete(path)
    }
  }

  /** Forgets what only this page has read and nobody shows. */
  private remove(path: string): void {
    const others = [...this.readers].filter(([reader]) => reader !== path)
    const cache = this.client.getQueryCache()
    for (const query of cache.findAll({ predicate: (one) => this.isOf(path, one) && one.getObserversCount() === 0 && !others.some(([, read]) => read.has(one.queryHash)) })) {
      // One that is still being read comes to its end after this, and would then be kept for as long as a page's may be.
      query.gcTime = 0
      cache.remove(query)
    }
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
