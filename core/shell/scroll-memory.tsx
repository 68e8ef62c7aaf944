/** A place in something that scrolls: from the left, from the top. */
type Spot = readonly [number, number]

interface Scrolled {
  /** Parts of the frame that all pages share. */
  readonly shared: Map<Element, Spot>
  /** Parts of the page itself, such as its table. */
  readonly inner: Map<Element, Spot>
}

/** Entries of the history whose places are remembered. */
const MAX_ENTRIES = 200
/** How long a page that comes back may take to be as long as it was, in milliseconds. */
const PATIENCE = 1000

/**
 * Where every page was scrolled to. A hidden page loses its places in some browsers, and the frame's scrolling part is
 * shared by all pages; both are put back when a page comes to the front (shell.md 16, 121).
 */
export class ScrollMemory {
  private readonly pages = new Map<string, Scrolled>()
  private readonly entries = new Map<string, Spot>()
  private frame: Element | undefined
  private front = ''
  private entry = ''

  private of(path: string): Scrolled {
    let page = this.pages.get(path)
    if (!page) this.pages.set(path, page = { shared: new Map(), inner: new Map() })
    return page
  }

  /** Listens to everything that scrolls inside the frame. Pages are marked by `data-page`. */
  watch(frame: Element): () => void {
    this.frame = frame
    const scrolled = ({ target }: Event) => {
      if (!(target instanceof Element)) return
      const spot: Spot = [target.scrollLeft, target.scrollTop]
      const page = target.closest('[data-page]')?.getAttribute('data-page')
      if (page != null) this.of(page).inner.set(target, spot)
      // Menus and bars do not belong to a page.
      else if (target === frame || target.id === 'content') {
        this.of(this.front).shared.set(target, spot)
        this.remember(spot)
      }
    }
    frame.addEventListener('scroll', scrolled, { capture: true, passive: true })
    return () => frame.removeEventListener('scroll', scrolled, { capture: true })
  }

  private remember(spot: Spot): void {
    this.entries.delete(this.entry)
    this.entries.set(this.entry, spot)
    const [oldest] = this.entries.keys()
    if (this.entries.size > MAX_ENTRIES && oldest !== undefined) this.entries.delete(oldest)
  }

  /** A page comes to the front: everything that scrolls is put where it was. */
  reveal(path: string): void {
    this.front = path
    const { shared, inner } = this.of(path)
    for (const part of this.shared()) put(part, shared.get(part) ?? [0, 0])
    for (const [part, spot] of inner) {
      if (part.isConnected) put(part, spot)
      else inner.delete(part)
    }
  }

  /**
   * Another entry of the history on the same page: a new one begins at the top, an old one where it was left.
   * @param key names the entry
   */
  enter(key: string, kind: 'new' | 'back' | 'same'): void {
    this.entry = key
    if (kind === 'same') return
    const spot = (kind === 'back' && this.entries.get(key)) || [0, 0]
    for (const part of this.shared()) settle(part, spot)
  }

  /** What scrolls for all pages: the frame, or the part of it below the bars. */
  private shared(): Element[] {
    return [this.frame, this.frame?.querySelector('#content')].filter((part) => part instanceof Element)
  }

  /** A page is gone for good. */
  forget(path: string): void {
    this.pages.delete(path)
  }
}

function put(part: Element, [left, top]: Spot): void {
  part.scrollLeft = left
  part.scrollTop = top
}

/** Puts a part where it was, again while its contents still grow, until the person scrolls themselves. */
function settle(part: Element, spot: Spot): void {
  put(part, spot)
  if (part.scrollTop >= spot[1] - 1 || !part.firstElementChild) return
  const grown = new ResizeObserver(() => {
    put(part, spot)
    if (part.scrollTop >= spot[1] - 1) end()
  })
  const timer = setTimeout(() => end(), PATIENCE)
  const end = () => {
    clearTimeout(timer)
    grown.disconnect()
    part.removeEventListener('wheel', end)
  }
  part.addEventListener('wheel', end, { passive: true })
  for (const child of part.children) grown.observe(child)
}
