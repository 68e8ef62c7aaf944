/** Puts blocks onto pages: columns are filled in turn, and no block is cut. */

export interface Block {
  readonly key: string
  /** Height in the unit of the page. */
  readonly height: number
  /** Stays with the block behind it: a heading is not left alone at the end of a column. */
  readonly keepWithNext?: boolean
  /** A new page begins with it. */
  readonly breakBefore?: boolean
}

/** One page: keys of the blocks in each of its columns. */
export type Page = readonly (readonly string[])[]

/**
 * @param heights of a column, by page: the first page may have less room
 * @returns pages with exactly `columns` columns each; a block that is higher than a column has one of its own
 */
export function paginate(blocks: readonly Block[], columns: number, heightOf: (page: number) => number): Page[] {
  const pages: string[][][] = []
  let column: string[] = []
  let left = 0
  const open = () => {
    const last = pages.at(-1)
    column = []
    if (last && last.length < columns) last.push(column)
    else pages.push([column])
    left = heightOf(pages.length - 1)
  }
  for (let index = 0; index < blocks.length;) {
    let end = index
    while (blocks[end]?.keepWithNext && end + 1 < blocks.length) end++
    const together = blocks.slice(index, end + 1)
    const height = together.reduce((sum, block) => sum + block.height, 0)
    if (together[0]?.breakBefore && pages.at(-1)?.some(({ length }) => length > 0)) {
      // Columns that are left over stay empty.
      while ((pages.at(-1)?.length ?? columns) < columns) open()
      open()
    } else if (pages.length === 0 || (height > left && column.length > 0)) open()
    for (const block of together) {
      column.push(block.key)
      left -= block.height
    }
    index = end + 1
  }
  for (const page of pages) while (page.length < columns) page.push([])
  return pages
}
