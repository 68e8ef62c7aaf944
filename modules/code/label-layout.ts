/** A sheet of labels as they are sold for printers: A4, so many in a row and in a column. */
export interface LabelLayout {
  readonly key: string
  readonly label: string
  readonly columns: number
  readonly rows: number
  /** Side of the QR code in millimetres. */
  readonly qr: number
  /** Margin of the sheet in millimetres: top and bottom, left and right. */
  readonly margin: readonly [number, number]
}

export const LABEL_LAYOUTS: readonly LabelLayout[] = [
  { key: '24', label: '24 枚（70 × 37 毫米）', columns: 3, rows: 8, qr: 22, margin: [0, 0] },
  { key: '40', label: '40 枚（52.5 × 29.7 毫米）', columns: 4, rows: 10, qr: 17, margin: [0, 0] },
  { key: '21', label: '21 枚（63.5 × 38.1 毫米）', columns: 3, rows: 7, qr: 22, margin: [15, 7] },
  { key: '10', label: '10 枚（105 × 57 毫米）', columns: 2, rows: 5, qr: 38, margin: [6, 0] },
]

/** Labels in sheets of a layout; the last one may be short. */
export function sheetsOf<Item>(items: readonly Item[], layout: LabelLayout): Item[][] {
  const size = layout.columns * layout.rows
  return Array.from({ length: Math.ceil(items.length / size) }, (_unused, index) => items.slice(index * size, (index + 1) * size))
}
