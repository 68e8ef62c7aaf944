/** Something that the palette offers. */
export interface PaletteItem {
  readonly key: string
  readonly title: string
  /** What tells it from others of the same title. */
  readonly note?: string | undefined
  readonly run: () => void
}

/** Items of one kind under their heading. */
export interface PaletteGroup {
  readonly title: string
  readonly items: readonly PaletteItem[]
}

/** The groups that have something, and their items in one row, as the arrow keys go. */
export function arrange(groups: readonly PaletteGroup[]): { groups: (PaletteGroup & { from: number })[]; items: PaletteItem[] } {
  const items = groups.flatMap((group) => group.items)
  let from = 0
  return {
    items,
    groups: groups.filter((group) => group.items.length > 0).map((group) => {
      const placed = { ...group, from }
      from += group.items.length
      return placed
    }),
  }
}
